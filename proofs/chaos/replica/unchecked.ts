/**
 * Imported before the service: a process that reads from the replica whatever it has replayed. The run must find it out.
 */
import { Reads } from '../../../src/lib/db/reads.ts'

// oxlint-disable-next-line typescript/unbound-method -- called with its object below
const { asOf } = Reads.prototype
Reads.prototype.asOf = function (this: Reads, position) {
  return asOf.call(this, position && { ...position, bytes: 0 })
}
