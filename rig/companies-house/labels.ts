/** Translates the words of the monthly file into the API's values. */
import type { Company } from './company.ts'

interface StatusMeaning {
  status: string
  detail?: string
  /** The `status` of the insolvency resource. */
  insolvency?: string[]
}

// Labels are matched in lower case because their casing varies between files.
const STATUSES: Record<string, StatusMeaning> = {
  active: { status: 'active' },
  registered: { status: 'registered' },
  removed: { status: 'removed' },
  open: { status: 'open' },
  closed: { status: 'closed' },
  dissolved: { status: 'dissolved' },
  'converted/closed': { status: 'converted-closed' },
  'active - proposal to strike off': { status: 'active', detail: 'active-proposal-to-strike-off' },
  liquidation: { status: 'liquidation', insolvency: ['liquidation'] },
  receivership: { status: 'receivership', insolvency: ['receivership'] },
  'live but receiver manager on at least one charge': {
    status: 'receivership',
    insolvency: ['live-receiver-manager-on-at-least-one-charge'],
  },
  'administrative receiver': { status: 'receivership', insolvency: ['administrative-receiver'] },
  'receiver manager / administrative receiver': proceedings('receiver-manager', 'administrative-receiver'),
  'voluntary arrangement': { status: 'voluntary-arrangement', insolvency: ['voluntary-arrangement'] },
  'voluntary arrangement / receiver manager': proceedings('voluntary-arrangement', 'receiver-manager'),
  'voluntary arrangement / administrative receiver': proceedings('voluntary-arrangement', 'administrative-receiver'),
  'administration order': { status: 'administration', insolvency: ['administration-order'] },
  'in administration': { status: 'administration', insolvency: ['in-administration'] },
  'in administration/receiver manager': proceedings('in-administration', 'receiver-manager'),
  'in administration/administrative receiver': proceedings('in-administration', 'administrative-receiver'),
}

function proceedings(...insolvency: string[]): StatusMeaning {
  return { status: 'insolvency-proceedings', insolvency }
}

export function statusMeaning(company: Company): StatusMeaning {
  const label = company.status.toLowerCase()
  if (label === 'active' && company.category === 'Overseas Entity') return { status: 'registered' }
  const meaning = STATUSES[label]
  if (!meaning) throw new Error(`no status is called "${company.status}" (company ${company.number})`)
  return meaning
}

const TYPES: Record<string, string> = {
  'Private Limited Company': 'ltd',
  'PRI/LTD BY GUAR/NSC (Private, limited by guarantee, no share capital)': 'private-limited-guarant-nsc',
  "PRI/LBG/NSC (Private, Limited by guarantee, no share capital, use of 'Limited' exemption)":
    'private-limited-guarant-nsc-limited-exemption',
  'PRIV LTD SECT. 30 (Private limited company, section 30 of the Companies Act)':
    'private-limited-shares-section-30-exemption',
  'Public Limited Company': 'plc',
  'Private Unlimited Company': 'private-unlimited',
  'Private Unlimited': 'private-unlimited-nsc',
  // The file does not say which; most of them are limited by guarantee.
  'Community Interest Company': 'private-limited-guarant-nsc',
  'Limited Liability Partnership': 'llp',
  'Limited Partnership': 'limited-partnership',
  'Scottish Partnership': 'scottish-partnership',
  'Overseas Entity': 'registered-overseas-entity',
  'Overseas Company': 'oversea-company',
  'Charitable Incorporated Organisation': 'charitable-incorporated-organisation',
  'Scottish Charitable Incorporated Organisation': 'scottish-charitable-incorporated-organisation',
  'Registered Society': 'registered-society-non-jurisdictional',
  'Industrial and Provident Society': 'industrial-and-provident-society',
  'Royal Charter Company': 'royal-charter',
  'Investment Company with Variable Capital': 'investment-company-with-variable-capital',
  'Investment Company with Variable Capital (Securities)': 'icvc-securities',
  'Investment Company with Variable Capital(Umbrella)': 'icvc-umbrella',
  'Protected Cell Company': 'protected-cell-company',
  'Old Public Company': 'old-public-company',
  'Converted/Closed': 'converted-or-closed',
  'European Public Limited-Liability Company (SE)': 'european-public-limited-liability-company-se',
  'United Kingdom Societas': 'united-kingdom-societas',
  'United Kingdom Economic Interest Grouping': 'ukeig',
  'Further Education and Sixth Form College Corps': 'further-education-or-sixth-form-college-corporation',
}

export function typeOf(company: Company): string {
  return TYPES[company.category] ?? 'other'
}

/** Null when the label means that none were ever filed. */
export function accountsType(label: string): string | null {
  if (label === '' || label === 'NO ACCOUNTS FILED') return null
  if (label === 'ACCOUNTS TYPE NOT AVAILABLE') return 'no-accounts-type-available'
  return label.toLowerCase().replaceAll(' ', '-')
}

export function accountsLabel(type: string): string {
  if (type === 'no-accounts-type-available') return 'ACCOUNTS TYPE NOT AVAILABLE'
  return type.toUpperCase().replaceAll('-', ' ')
}
