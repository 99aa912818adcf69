import { expect, test } from 'vitest'
import { classifyRows, type SentRow } from './classify.ts'

const row = (sent: Partial<SentRow>): SentRow => ({
  companyNumber: '',
  addresses: [],
  companyName: '',
  postcode: '',
  cells: [],
  ...sent,
})

async function wayOf(sent: Partial<SentRow>): Promise<string> {
  const [classified] = await classifyRows([row(sent)])
  if (classified === undefined || classified.state === 'invalid') return 'invalid'
  return classified.kind === 'domain' ? classified.domain : JSON.stringify(classified.sought)
}

test.each(['0', '00000000', 'A1', 'QQ000001'])(
  'the placeholder %s for a number does not hide a domain',
  async (typed) => {
    expect(await wayOf({ companyNumber: typed, addresses: ['acme.co.uk'] })).toBe('acme.co.uk')
  },
)

test('a placeholder for a number does not hide a name', async () => {
  expect(await wayOf({ companyNumber: '0', companyName: 'Acme Ltd' })).toBe(
    '{"number":null,"name":"Acme Ltd","postcode":null}',
  )
})

test('a number that no register uses is looked up where the row has nothing else', async () => {
  expect(await wayOf({ companyNumber: 'A1' })).toBe('{"number":"A0000001","name":"","postcode":null}')
})

test('a number of the register comes before a domain', async () => {
  for (const number of ['08496536', 'SC123456', 'NO000123', 'IP12345R', 'R0000123'])
    expect(await wayOf({ companyNumber: number, addresses: ['acme.co.uk'] })).toContain(`"number":"${number}"`)
})
