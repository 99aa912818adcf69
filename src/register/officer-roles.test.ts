import { expect, test } from 'vitest'
import { isDirector, mustVerifyIdentity } from './officer-roles.ts'
import officers from './words/codes/officers.json' with { type: 'json' }

const plain = Object.keys(officers.officer_role).filter((role) => !role.startsWith('corporate-'))

test('every role that the register has is one of a director or is not', () => {
  expect(plain.filter((role) => !isDirector({ role }))).toEqual([
    'cic-manager',
    'limited-partner-in-a-limited-partnership',
    'judicial-factor',
    'nominee-secretary',
    'person-authorised-to-accept',
    'person-authorised-to-represent',
    'person-authorised-to-represent-and-accept',
    'receiver-and-manager',
    'secretary',
  ])
  expect(isDirector({ role: null })).toBe(false)
})

test('a company directs as a person does in the same role', () => {
  for (const role of officers.corporate_roles)
    expect([role, isDirector({ role })]).toEqual([role, isDirector({ role: role.slice('corporate-'.length) })])
})

test('directors verify their identity, but not companies, nor those who direct what is no company', () => {
  expect(
    Object.keys(officers.officer_role).filter((role) => isDirector({ role }) && !mustVerifyIdentity({ role })),
  ).toEqual([
    ...officers.corporate_roles
      .filter((role) => isDirector({ role }))
      .filter((role) => !role.includes('general-partner'))
      .sort(),
    'general-partner-in-a-limited-partnership',
    'corporate-general-partner-in-a-limited-partnership',
    'manager-of-an-eeig',
    'managing-officer',
  ])
})
