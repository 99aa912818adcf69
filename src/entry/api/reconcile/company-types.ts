/** Kinds of companies to ask for. Every company is a `company`; the others are the register's own words. */
export interface ReconcileType {
  id: string
  name: string
}

export const COMPANY: ReconcileType = { id: 'company', name: 'Company' }

export const COMPANY_TYPES: readonly ReconcileType[] = [
  { id: 'ltd', name: 'Private limited company' },
  { id: 'plc', name: 'Public limited company' },
  { id: 'llp', name: 'Limited liability partnership' },
  { id: 'private-limited-guarant-nsc', name: 'Company limited by guarantee' },
  { id: 'private-limited-guarant-nsc-limited-exemption', name: 'Company limited by guarantee, without “limited”' },
  { id: 'community-interest-company', name: 'Community interest company' },
  { id: 'private-unlimited', name: 'Private unlimited company' },
  { id: 'limited-partnership', name: 'Limited partnership' },
  { id: 'scottish-partnership', name: 'Scottish partnership' },
  { id: 'registered-society-non-jurisdictional', name: 'Registered society' },
  { id: 'royal-charter', name: 'Royal charter company' },
  { id: 'uk-establishment', name: 'UK establishment of an overseas company' },
  { id: 'registered-overseas-entity', name: 'Overseas entity' },
]

/** The widest first. */
export function listTypes(companyType: string): ReconcileType[] {
  return [COMPANY, ...COMPANY_TYPES.filter(({ id }) => id === companyType)]
}

/** Ignores types that do not exist here: clients send the type names of other services. */
export function isOfTypes(companyType: string, wanted: readonly string[]): boolean {
  const meant = wanted.filter((type) => COMPANY_TYPES.some(({ id }) => id === type))
  return meant.length === 0 || wanted.includes(COMPANY.id) || meant.includes(companyType)
}
