/** Words of the register's interface that can be searched for. */

export const COMPANY_STATUSES = [
  'active',
  'dissolved',
  'liquidation',
  'receivership',
  'converted-closed',
  'voluntary-arrangement',
  'insolvency-proceedings',
  'administration',
  'open',
  'closed',
  'registered',
  'removed',
] as const

export const ACCOUNTS_TYPES = [
  'full',
  'small',
  'medium',
  'group',
  'dormant',
  'interim',
  'initial',
  'total-exemption-full',
  'total-exemption-small',
  'partial-exemption',
  'audit-exemption-subsidiary',
  'filing-exemption-subsidiary',
  'micro-entity',
  'no-accounts-type-available',
  'audited-abridged',
  'unaudited-abridged',
] as const

/** People write `Micro Entity` or `MICRO_ENTITY`; the register's word is `micro-entity`. */
export function toRegisterWord(typed: string): string {
  return typed
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
}
