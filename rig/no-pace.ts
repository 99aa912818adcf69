import { type Admission, LeasedLimiter } from '../src/lib/limits/leased-limiter.ts'
import { Pace } from '../src/lib/web/pace.ts'

/** Admits everything and needs no database. */
class NoLimit extends LeasedLimiter {
  constructor() {
    super({ query: () => Promise.reject(new Error('no limit needs no database')) })
  }

  override async admit(): Promise<Admission> {
    return { kind: 'admitted', remaining: 1, resetSeconds: 0 }
  }
}

/** No simulated site has to be spared, and waiting for one is no part of what is tested or measured. */
export class NoPace extends Pace {
  constructor() {
    super(new NoLimit())
  }

  override async enterAddress(): Promise<() => void> {
    return () => {}
  }
}
