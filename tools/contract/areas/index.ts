import type { Area } from '../row.ts'
import { ACCOUNT } from './account.ts'
import { AUTHENTICATION } from './authentication.ts'
import { FIELDS } from './fields.ts'
import { REGISTER } from './register.ts'
import { ERRORS, LIMITS, REQUESTS } from './requests.ts'
import { PARTNER, RESOLUTION } from './resolution.ts'
import { OPERATIONS_AGENTS, SERVICE, VERSIONING } from './service.ts'
import { SETTLED } from './settled.ts'
import { STATES } from './states.ts'
import { EVENTS, WATCHLIST_SIGNALS, WEBHOOKS } from './watching.ts'

/** The whole contract, in its own order; then what is settled where it is silent. */
export const AREAS: readonly Area[] = [
  SERVICE,
  FIELDS,
  STATES,
  RESOLUTION,
  PARTNER,
  WATCHLIST_SIGNALS,
  WEBHOOKS,
  ACCOUNT,
  REGISTER,
  OPERATIONS_AGENTS,
  REQUESTS,
  AUTHENTICATION,
  EVENTS,
  ERRORS,
  LIMITS,
  VERSIONING,
  SETTLED,
]
