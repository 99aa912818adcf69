/** The service dials exactly what the network policies let out and the documents say. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { FORBIDDEN_IPV4, FORBIDDEN_IPV6_INSIDE, GLOBAL_IPV6, isPublicAddress } from '../../src/lib/web/address-guard.ts'
import { SITE_PORTS } from '../../src/lib/web/web-session.ts'
import { WEBHOOK_PORTS } from '../../src/webhooks/deliver/attempt.ts'

const ROOT = join(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

interface Rule {
  to: Array<{ ipBlock?: { cidr: string; except: string[] } }>
  ports: Array<{ port: number }>
}

interface Policy {
  metadata: { name: string }
  spec: { egress?: Rule[] }
}

const policies = parseAllDocuments(read('deploy/kubernetes/base/network-policies.yaml')).map(
  (document) => document.toJS() as Policy,
)
const rulesOutside = policies.flatMap(({ metadata, spec }) =>
  (spec.egress ?? [])
    .filter(({ to }) => to.some(({ ipBlock }) => ipBlock))
    .map((rule) => ({ name: metadata.name, blocks: rule.to.map(({ ipBlock }) => ipBlock), ports: rule.ports })),
)
const MAIL_PORTS = [465, 587]
const REGISTER_PORTS = [443]
const sorted = (ports: readonly number[]) => [...new Set(ports)].sort((one, other) => one - other)

test('the network policies forbid every range that the guard forbids', () => {
  expect(rulesOutside.map(({ name }) => name)).toEqual(['nameplate-api', 'nameplate-worker', 'nameplate-register'])
  for (const { blocks } of rulesOutside) {
    expect(blocks).toEqual([
      { cidr: '0.0.0.0/0', except: FORBIDDEN_IPV4 },
      { cidr: GLOBAL_IPV6, except: FORBIDDEN_IPV6_INSIDE },
    ])
  }
})

test.each(['64:ff9b::a9fe:a9fe', '168.63.129.16', '192.0.0.192', '::ffff:10.0.0.1', '100.100.100.200'])(
  'the guard does not dial %s',
  (address) => expect(isPublicAddress(address)).toBe(false),
)

test('the network policies let out the ports that the service dials, and no others', () => {
  const ports = Object.fromEntries(rulesOutside.map(({ name, ports }) => [name, sorted(ports.map(({ port }) => port))]))
  expect(ports).toEqual({
    'nameplate-api': sorted([...WEBHOOK_PORTS, ...REGISTER_PORTS]),
    'nameplate-worker': sorted([...SITE_PORTS, ...WEBHOOK_PORTS, ...MAIL_PORTS, ...REGISTER_PORTS]),
    'nameplate-register': REGISTER_PORTS,
  })
})

test.each(['SECURITY.md', 'docs/security.md'])('%s names the ports that the service dials', (file) => {
  const list = (ports: readonly number[]) => ports.join(', ').replace(/, (\d+)$/, ' and $1')
  const text = read(file)
  expect(text).toContain(`ports ${list(SITE_PORTS)}`)
  expect(text).toContain(list(WEBHOOK_PORTS))
  const named = [...text.matchAll(/ports? (\d+(?:, \d{2,5})*(?: and \d+)?)/g)].flatMap(
    ([, ports = '']) => ports.match(/\d+/g) ?? [],
  )
  expect(named.map(Number).filter((port) => ![...SITE_PORTS, ...WEBHOOK_PORTS].includes(port))).toEqual([])
})
