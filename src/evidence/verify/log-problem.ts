export interface LogProblem {
  /** Such as `record_changed` or `entry_removed`. */
  kind: string
  /** An entry, a record or a head. */
  where: string
  says: string
}

export type Say = (kind: string, where: string, says: string) => void
