import type { KeyMode, Origin } from '../../accounts/index.ts'

/** An account has its live destinations and, apart from them, those of its test key. */
export interface DestinationOwner {
  accountId: string
  mode: KeyMode
}

/** One destination or listener of an owner. */
export interface Own extends DestinationOwner {
  id: number
}

/** A change of a destination, with the origin of the request for it. */
export interface Change extends Own {
  origin?: Origin | undefined
}
