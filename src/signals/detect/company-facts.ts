import type { Company } from '../../register/index.ts'

/** A company as the register's changes carry it. */
export type CompanyFacts = Omit<Company, 'timepoint' | 'source' | 'changedAt'>
