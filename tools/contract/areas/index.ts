import type { Area } from '../row.ts'
import { ACCOUNT } from './account.ts'
import { AUTHENTICATION } from './authentication.ts'
import { ERRORS } from './errors.ts'
import { EVENTS } from './events.ts'
import { FIELDS } from './fields.ts'
import { LIMITS } from './limits.ts'
import { OPERATIONS_AGENTS } from './operations-agents.ts'
import { PARTNER } from './partner.ts'
import { REGISTER } from './register.ts'
import { REQUESTS } from './requests.ts'
import { RESOLUTION } from './resolution.ts'
import { SERVICE } from './service.ts'
import { SETTLED } from './settled.ts'
import { STATES } from './states.ts'
import { VERSIONING } from './versioning.ts'
import { WATCHLIST_SIGNALS } from './watchlist-signals.ts'
import { WEBHOOKS } from './webhooks.ts'

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
