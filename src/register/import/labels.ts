/** The snapshot's labels as the words of the register's API, which the streams and REST use too. */
import { memoize } from './memoize.ts'

/** `CompanyStatus` → status and detail. Compared without case: both `RECEIVERSHIP` and `Receivership` occur. */
export const toStatus = memoize((label): { status: string; detail: string | null } => {
  const known = STATUSES.get(label.toLowerCase())
  return known ?? { status: toWord(label), detail: null }
})

const STATUSES = new Map<string, { status: string; detail: string | null }>(
  Object.entries({
    active: ['active', null],
    'active - proposal to strike off': ['active', 'active-proposal-to-strike-off'],
    liquidation: ['liquidation', null],
    receivership: ['receivership', null],
    'live but receiver manager on at least one charge': ['receivership', null],
    'administrative receiver': ['receivership', null],
    'receiver manager / administrative receiver': ['insolvency-proceedings', null],
    'voluntary arrangement': ['voluntary-arrangement', null],
    'voluntary arrangement / receiver manager': ['insolvency-proceedings', null],
    'voluntary arrangement / administrative receiver': ['insolvency-proceedings', null],
    'administration order': ['administration', null],
    'in administration': ['administration', null],
    'in administration/receiver manager': ['insolvency-proceedings', null],
    'in administration/administrative receiver': ['insolvency-proceedings', null],
    dissolved: ['dissolved', null],
    'converted / closed': ['converted-closed', null],
  } as Record<string, [string, string | null]>).map(([label, [status, detail]]) => [label, { status, detail }]),
)

/** `CompanyCategory` → type. */
export const toType = memoize((label) => TYPES.get(label.toLowerCase()) ?? toWord(label))

const TYPES = new Map(
  Object.entries({
    'private limited company': 'ltd',
    'pri/ltd by guar/nsc (private, limited by guarantee, no share capital)': 'private-limited-guarant-nsc',
    "pri/lbg/nsc (private, limited by guarantee, no share capital, use of 'limited' exemption)":
      'private-limited-guarant-nsc-limited-exemption',
    'priv ltd sect. 30 (private limited company, section 30 of the companies act)':
      'private-limited-shares-section-30-exemption',
    'public limited company': 'plc',
    'private unlimited company': 'private-unlimited',
    'private unlimited': 'private-unlimited',
    'community interest company': 'community-interest-company',
    'limited liability partnership': 'llp',
    'limited partnership': 'limited-partnership',
    'scottish partnership': 'scottish-partnership',
    'overseas entity': 'registered-overseas-entity',
    'registered society': 'registered-society-non-jurisdictional',
    'royal charter company': 'royal-charter',
    'investment company with variable capital (securities)': 'icvc-securities',
    'investment company with variable capital(umbrella)': 'icvc-umbrella',
    'converted/closed': 'converted-or-closed',
    'european public limited-liability company (se)': 'european-public-limited-liability-company-se',
    'united kingdom economic interest grouping': 'ukeig',
    'further education and sixth form college corps': 'further-education-or-sixth-form-college-corporation',
    'other company type': 'other',
  }),
)

/** `Accounts.AccountCategory` → accounts type; null when none were filed. */
export const toAccountsType = memoize((label): string | null => {
  if (label === '' || label === 'NO ACCOUNTS FILED') return null
  return label === 'ACCOUNTS TYPE NOT AVAILABLE' ? 'no-accounts-type-available' : toWord(label)
})

function toWord(label: string): string {
  return label
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
