import type { Clock } from '../src/lib/clock.ts'
import type { Database } from '../src/lib/db/db.ts'
import { applyCompanies } from '../src/register/apply-companies.ts'
import type { ProfileFacts } from '../src/register/details/company-from-profile.ts'

/** A company of a made-up register; all others of its facts are the same for every company. */
export interface PlainCompany {
  number: string
  name: string
  postcode: string
  status?: string
  statusDetail?: string
  accountsNextDue?: string
  previousNames?: ProfileFacts['previousNames']
}

/** Puts companies into the register as a snapshot does, or changes those that are there. */
export async function putCompanies(
  { db, clock }: { db: Database; clock: Clock },
  companies: readonly PlainCompany[],
): Promise<void> {
  const incoming = companies.map((company) => ({ facts: toFacts(company), rowHash: null, timepoint: 0 }))
  const options = { source: 'snapshot', reference: 'rig', at: clock.now(), isStale: () => false } as const
  await db.transaction((tx) => applyCompanies(tx, incoming, options))
}

function toFacts(company: PlainCompany): ProfileFacts {
  const { number, name, postcode, status = 'active', statusDetail, accountsNextDue, previousNames = [] } = company
  const office = { line1: '1 Mill Lane', town: 'Ripon', county: 'North Yorkshire', country: 'England', postcode }
  return {
    number,
    name,
    previousNames,
    status,
    statusDetail: statusDetail ?? null,
    type: 'ltd',
    incorporatedOn: '2011-03-14',
    dissolvedOn: status === 'dissolved' ? '2024-03-14' : null,
    address: { careOf: null, poBox: null, line2: null, ...office },
    countryOfOrigin: null,
    accountsRefDay: 31,
    accountsRefMonth: 3,
    accountsNextDue: accountsNextDue ?? null,
    accountsLastMadeUp: null,
    accountsType: 'micro-entity',
    confirmationNextDue: null,
    confirmationLastMadeUp: null,
    sicCodes: ['31090'],
    remarks: [],
  }
}
