/** What the register's words mean. Reads and writes nothing, so that a thread for strangers' pages may load it. */
export type { Company } from '../company.ts'
export { parseCompanyNumber } from '../company.ts'
export { toNameKey } from '../search/name-key.ts'
export { describeSector, isOffRegister } from '../vocabulary.ts'
