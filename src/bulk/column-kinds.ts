/** The kinds of columns by which a company can be found. */
export const HOLDS = ['domain', 'email', 'web_address', 'company_name', 'company_number', 'postcode'] as const
export type Holds = (typeof HOLDS)[number]
