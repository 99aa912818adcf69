import { expect, test } from 'vitest'
import { makeUsualRecord } from '../../../rig/filed-records.ts'
import { clip } from './clip.ts'
import { describeCompany } from './register-part.ts'

test('remarks of the registrar and an earlier status are printed in words, also of a record that has only codes', () => {
  const record = makeUsualRecord()
  const { company, compared_with: then } = record.register
  if (!company || !then) throw new Error('the usual record has both')
  company.remarks = ['registered-office-is-in-dispute', 'undeliverable-registered-office-address']
  then.company_status = 'voluntary-arrangement'
  const described = describeCompany(record, clip)
  expect(described?.rows).toContainEqual([
    'Remarks',
    'The registered office is in dispute; Post cannot be delivered to the registered office',
  ])
  expect(described?.compared).toBe(
    `When the site was read, the register had: ${then.company_name}, voluntary arrangement.`,
  )
})
