/** A company that is about to be struck off is `active`: no summary may show the one without the other. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')) as unknown

/** The proof keeps the register's words of the day it was made. */
const AS_IT_WAS = /EvidencePack/

function listSummaries(node: unknown, path = ''): string[] {
  if (typeof node !== 'object' || node === null) return []
  const { properties } = node as { properties?: Record<string, unknown> }
  const isBare = properties !== undefined && 'company_status' in properties && !('company_status_text' in properties)
  const below = Object.entries(node).flatMap(([name, value]) => listSummaries(value, `${path}/${name}`))
  return isBare ? [path, ...below] : below
}

test('every summary of a company that shows its status shows the detail in words', () => {
  expect(listSummaries(document).filter((path) => !AS_IT_WAS.test(path))).toEqual([])
})
