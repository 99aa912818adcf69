import type { FoundIds } from './found-ids.ts'

/** The material of requests: the customers who send them, and the subjects there are. */
export interface Cast {
  customers: Customer[]
  /** Customers whose keys and passwords are changed under them. */
  leaving: Customer[]
  domains: string[]
  companyNumbers: string[]
  emails: string[]
  ids: FoundIds
}

export interface Customer {
  id: string
  key: string
  testKey: string
  /** Identifies a session. */
  token: string
}
