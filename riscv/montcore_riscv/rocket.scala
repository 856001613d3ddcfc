// SPDX-License-Identifier: Apache-2.0
//
// A Rocket tile in the shape of SiFive's E31 (RV32IMAC, 16 KiB tightly coupled data memory, 16 KiB
// two-way instruction cache, branch predictor, multiplier of 8 bits a cycle) on a board of its own.

package montcore

import Chisel._
import freechips.rocketchip.config.{Config, Parameters}
import freechips.rocketchip.devices.debug.Debug
import freechips.rocketchip.devices.tilelink.BootROMParams
import freechips.rocketchip.diplomacy.LazyModule
import freechips.rocketchip.subsystem._
import freechips.rocketchip.system._

class BootIntoRam extends Config((site, here, up) => {
  case BootROMParams => BootROMParams(hang = 0x10000, contentFileName = "boot.img")
})

class WithMulUnroll(bits: Int) extends Config((site, here, up) => {
  case RocketTilesKey => up(RocketTilesKey, site).map { tile =>
    tile.copy(core = tile.core.copy(mulDiv = tile.core.mulDiv.map(_.copy(mulUnroll = bits))))
  }
})

class Shape extends Config(
  new BootIntoRam ++
  new WithNBreakpoints(2) ++
  new WithL1ICacheWays(2) ++
  new WithL1ICacheSets(128) ++
  new WithDefaultBtb ++
  new TinyConfig)

class Mul8 extends Config(new WithMulUnroll(8) ++ new Shape)
class Mul32 extends Config(new WithMulUnroll(32) ++ new Shape)

class Board(implicit p: Parameters) extends Module {
  val io = new Bundle { val success = Bool(OUTPUT) }
  val system = LazyModule(new ExampleRocketSystem)
  val dut = Module(system.module)
  dut.tieOffInterrupts()
  SimAXIMem.connectMem(system)
  SimAXIMem.connectMMIO(system)
  system.l2_frontend_bus_axi4.foreach(_.tieoff)
  Debug.tieoffDebug(dut.debug, Some(dut.psd))
  io.success := Bool(false)
}
