import type { KeyMode, Origin } from '../../accounts/index.ts'

/** Whose destinations: each account has its live ones and, apart from them, those of its test key. */
export interface DestinationOwner {
  accountId: string
  mode: KeyMode
}

/** One destination or listener of an owner. */
export interface Own extends DestinationOwner {
  id: number
}

/** A change of a destination, and where the request for it came from. */
export interface Change extends Own {
  origin?: Origin | undefined
}
