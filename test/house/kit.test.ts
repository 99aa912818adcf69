/** The operators' files agree: alerts with their sections, commands, and checks that find what they should. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { runCommandLine } from '../../src/entry/cli/program.ts'
import { readSources } from '../../tools/house/sources.ts'
import { readAlerts } from '../../tools/kit/alerts.ts'
import { readDockerfile } from '../../tools/kit/dockerfile.ts'
import { findSchemaProblems } from '../../tools/kit/kubernetes-schema.ts'
import { type Manifest, renderKustomization } from '../../tools/kit/kustomize.ts'
import { findSettingProblems } from '../../tools/kit/production-settings.ts'
import { listGroupings, listSelectors } from '../../tools/kit/queries.ts'
import { DEPLOY, REPOSITORY } from '../../tools/kit/repository.ts'
import { findWorkloadProblems } from '../../tools/kit/workloads.ts'
import { describeSbom } from '../../tools/sbom.ts'

const RUNBOOK = readFileSync(join(REPOSITORY, 'docs/runbook.md'), 'utf8')
/** The operators' pages that name commands. */
const PAGES = [
  'runbook',
  'deploying',
  'self-hosting',
  'scale',
  'page-archive',
  'audit-log',
  'second-reader',
  'security',
  'stored-data',
]

test('every alert has its section in the runbook, and every section its alert', () => {
  const sections = [...RUNBOOK.matchAll(/^## (.+)$/gm)].map(([, name]) => name)
  expect(sections).toEqual(readAlerts().map(({ alert }) => alert))
})

test('every command that the operators’ pages name exists', async () => {
  const written = PAGES.map((page) => readFileSync(join(REPOSITORY, `docs/${page}.md`), 'utf8')).join('\n')
  const commands = [...written.matchAll(/`nameplated ([^`]+)`/g)].map(([, line = '']) => wordsOf(line))
  expect(commands.length).toBeGreaterThan(15)
  expect(written).not.toMatch(/`nameplate [a-z]/)
  const shown = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
  try {
    for (const words of new Set(commands.map((command) => command.join(' ')))) {
      shown.mockClear()
      await runCommandLine(NOTHING, [...words.split(' '), '--help'])
      expect(String(shown.mock.calls[0]?.[0])).toContain(`Usage: nameplated ${words} `)
    }
  } finally {
    shown.mockRestore()
  }
})

const refuse = () => {
  throw new Error('only help is asked for')
}
const NOTHING = { loadConfig: refuse, migrate: refuse, start: refuse }
const GROUPS =
  'account archive audit evidence incident jobs key links person refunds register review second-reader secrets'.split(
    ' ',
  )

/** The command without its arguments. */
function wordsOf(line: string): string[] {
  const [first = '', second = ''] = line.split(' ')
  return GROUPS.includes(first) ? [first, second] : [first]
}

test('a manifest with a misspelt field, or one of the wrong kind, is found', async () => {
  const service = (spec: Record<string, unknown>): Manifest[] => [
    { apiVersion: 'v1', kind: 'Service', metadata: { name: 'planted' }, spec },
  ]
  expect(await findSchemaProblems(service({ ports: [{ port: 80 }] }))).toEqual([])
  expect((await findSchemaProblems(service({ ports: [{ port: 80 }], selektor: {} }))).join()).toContain('selektor')
  expect((await findSchemaProblems(service({ ports: [{ port: '80' }] }))).join()).toContain('port')
})

test('a workload that runs as root, may be ended too soon, or is left without a budget is found', () => {
  const manifests = renderKustomization(join(DEPLOY, 'kubernetes/base'))
  expect(findWorkloadProblems(manifests)).toEqual([])
  const spoiled = JSON.parse(
    JSON.stringify(manifests)
      .replaceAll('"runAsNonRoot":true', '"runAsNonRoot":false')
      .replaceAll('"terminationGracePeriodSeconds":95', '"terminationGracePeriodSeconds":30'),
  ) as Manifest[]
  const problems = findWorkloadProblems(spoiled.filter(({ kind }) => kind !== 'PodDisruptionBudget')).join('\n')
  expect(problems).toContain('nameplate-api: not so: it does not run as root')
  expect(problems).toContain('nameplate-api: not so: it has 90 seconds to finish')
  expect(problems).toContain('nameplate-worker: not so: a disruption leaves some')
})

test('settings that production refuses, or that do not exist, are found', () => {
  const problems = findSettingProblems(
    'planted',
    { SIMULATED: 'mailbox', BASE_ULR: 'https://x.example' },
    'serve',
  ).join('\n')
  expect(problems).toContain('there is no setting BASE_ULR')
  expect(problems).toContain('BASE_URL: is missing')
})

test('a process that is given a secret it does not use is found', () => {
  const follower = { SEALING_KEYS: 'k1:x', SMTP_URL: 'smtps://mail.example', METRICS_TOKEN: 'a-long-enough-token' }
  const problems = findSettingProblems('planted', follower, 'follow').join('\n')
  expect(problems).toContain('planted: it is given SEALING_KEYS, which follow does not use')
  expect(problems).toContain('planted: it is given SMTP_URL, which follow does not use')
  expect(problems).not.toContain('METRICS_TOKEN')
})

test('the metrics and labels of a query are read', () => {
  const query = {
    where: '',
    expr: 'sum by (queue, le) (rate(nameplate_job_seconds_count{outcome="a",queue!~"b\\\\.c"}[5m])) > 0',
  }
  expect(listSelectors(query)).toEqual([
    {
      metric: 'nameplate_job_seconds_count',
      matchers: [
        { label: 'outcome', operator: '=', value: 'a' },
        { label: 'queue', operator: '!~', value: 'b\\.c' },
      ],
    },
  ])
  expect(listGroupings(query)).toEqual(['queue', 'le'])
})

test('the bill of materials has what production needs, each as the package that needs it finds it', () => {
  const { components, dependencies } = describeSbom({
    '': { version: '1.0.0', dependencies: { one: '1.0.0' } },
    'node_modules/one': { version: '1.0.0', dependencies: { two: '^2.0.0' }, license: 'MIT', integrity: 'sha512-AAAA' },
    'node_modules/one/node_modules/two': { version: '2.0.0', license: '(MIT OR ISC)' },
    'node_modules/two': { version: '3.0.0', dev: true },
  })
  expect(components.map((component) => component['bom-ref'])).toEqual(['one@1.0.0', 'two@2.0.0'])
  expect(components[0]).toMatchObject({ licenses: [{ license: { id: 'MIT' } }], hashes: [{ alg: 'SHA-512' }] })
  expect(components[1]?.licenses).toEqual([{ expression: '(MIT OR ISC)' }])
  expect(dependencies.find(({ ref }) => ref === 'one@1.0.0')?.dependsOn).toEqual(['two@2.0.0'])
})

test('the stage of the image that builds the console has every file of ours that it imports', () => {
  const stage = readDockerfile().stages.find(({ name }) => name === 'console')
  const copied = (stage?.instructions ?? [])
    .filter(({ name }) => name === 'COPY')
    .flatMap(({ text }) => text.split(/\s+/).slice(0, -1))
  const imported = readSources()
    .filter(({ file }) => file.startsWith('console/'))
    .flatMap(({ imports }) => imports.map(({ target }) => target))
    .filter((target) => /^(?:src|clients)\//.test(target))
  expect(imported).toContain('src/lib/text/mark-words.ts')
  const missing = imported.filter((target) => !copied.some((path) => target === path || target.startsWith(`${path}/`)))
  expect([...new Set(missing)]).toEqual([])
})
