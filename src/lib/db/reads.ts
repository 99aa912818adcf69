import { databaseReads } from '../metrics.ts'
import type { Db } from './db.ts'
import type { Position } from './position.ts'
import type { Replica } from './replica.ts'

/** Reads that a replica may answer. */
export class Reads {
  readonly #primary: Db
  readonly #replica: Replica | null

  constructor(primary: Db, replica: Replica | null) {
    this.#primary = primary
    this.#replica = replica
  }

  /**
   * Returns a `Db` for statements that only read. They see everything that was committed before the position was read,
   * from the replica if it has it and answers in time, else from the primary. With the position of the request's
   * own credential check, no caller can see the difference. A request that has written since then uses the primary.
   */
  asOf(position: Position | null | undefined): Db {
    return this.#replica && position ? new ReadsAsOf(this.#primary, this.#replica, position) : this.#primary
  }
}

class ReadsAsOf implements Db {
  readonly #primary: Db
  readonly #replica: Replica
  readonly #position: Position
  #isOnPrimary = false

  constructor(primary: Db, replica: Replica, position: Position) {
    this.#primary = primary
    this.#replica = replica
    this.#position = position
  }

  async query<Row>(text: string, params: readonly unknown[] = []): Promise<Row[]> {
    // Once the primary has answered, the replica may be older than what the caller has seen.
    if (!this.#isOnPrimary) {
      const answer = await this.#replica.read<Row>(this.#position, text, params)
      if ('rows' in answer) {
        databaseReads.inc({ server: 'replica', reason: 'fresh' })
        return answer.rows
      }
      databaseReads.inc({ server: 'primary', reason: answer.refused })
      this.#isOnPrimary = true
    }
    return this.#primary.query<Row>(text, params)
  }
}
