import { apiKeysDoor } from './api/api-keys.ts'
import { authDoor } from './api/auth.ts'
import { companyProfileDoor } from './api/company-profile.ts'
import { companySearchDoor } from './api/company-search.ts'
import { companySignalsDoor } from './api/company-signals.ts'
import { creditsDoor } from './api/credits.ts'
import { enrichDoor } from './api/enrich.ts'
import { evidenceDoor } from './api/evidence.ts'
import { operationsDoor } from './api/operations.ts'
import { partnerEnrichDoor } from './api/partner-enrich.ts'
import { profileDoor } from './api/profile.ts'
import { resolveCompanyDoor } from './api/resolve-company.ts'
import { resolveDomainDoor } from './api/resolve-domain.ts'
import { statusDoor } from './api/status.ts'
import type { Doors } from './http/server.ts'
import { botDoor } from './site/bot.ts'
import { docsDoor } from './site/docs.ts'
import { homeDoor } from './site/home.ts'
import { passwordsDoor } from './site/passwords.ts'
import { signInDoor } from './site/sign-in.ts'

/** Every HTTP door there is. */
export function createDoors(isDraining: () => boolean): Doors {
  return {
    api: [
      authDoor,
      profileDoor,
      apiKeysDoor,
      creditsDoor,
      enrichDoor,
      resolveDomainDoor,
      resolveCompanyDoor,
      evidenceDoor,
      partnerEnrichDoor,
      companySearchDoor,
      companyProfileDoor,
      companySignalsDoor,
      statusDoor,
    ],
    site: [homeDoor, signInDoor, passwordsDoor, docsDoor, botDoor],
    anyHost: [operationsDoor(isDraining)],
  }
}
