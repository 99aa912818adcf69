/** The roles of officers: who directs a company, and who must verify their identity. A company holds a role as `corporate-…`. */
import type { Officer } from './details/part-items.ts'

type WithRole = Pick<Officer, 'role'>

/** Roles of people who direct a company, and to whom the register gives a day to verify their identity by. */
const DIRECT_AND_VERIFY = [
  'director',
  'nominee-director',
  'llp-member',
  'llp-designated-member',
  'member-of-a-management-organ',
  'member-of-a-supervisory-organ',
  'member-of-an-administrative-organ',
]
/** And the roles of limited partnerships, overseas entities and economic interest groupings. */
const DIRECT = [
  ...DIRECT_AND_VERIFY,
  'general-partner-in-a-limited-partnership',
  'managing-officer',
  'manager-of-an-eeig',
]
const CORPORATE = 'corporate-'

/** Whether the role is held by a company. */
export function isCorporateRole(role: string | null): boolean {
  return role?.startsWith(CORPORATE) ?? false
}

/** The role as a person would hold it. */
export function toPlainRole(role: string): string {
  return isCorporateRole(role) ? role.slice(CORPORATE.length) : role
}

/** Whether someone directs the company: the one definition for profile, signals, warnings and identity. */
export function isDirector({ role }: WithRole): boolean {
  return role !== null && DIRECT.includes(toPlainRole(role))
}

/** Whether someone must verify their identity for this role. Companies need not yet: the register has no days for them. */
export function mustVerifyIdentity({ role }: WithRole): boolean {
  return role !== null && DIRECT_AND_VERIFY.includes(role)
}
