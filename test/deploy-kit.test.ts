/** Alerts, dashboard, scaling and runbook ask for what the running service has. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { metrics } from '../src/lib/metrics.ts'
import { listGroupings, listQueries, listSelectors, type Matcher } from '../tools/kit/queries.ts'
import { REPOSITORY } from '../tools/kit/repository.ts'
import { startTestService, useTestService } from './setup/harness.ts'

interface Sample {
  name: string
  labels: Record<string, string>
}

const it = useTestService({ sites: {} })
let text: string
beforeAll(async () => {
  // Services of other test files may have counted in this process before.
  metrics.resetMetrics()
  const account = await it.openAccount({ credits: 5 })
  await it.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain: 'nobody-is-there.co.uk' } })
  await it.settle()
  text = (await it.call('GET', '/metrics')).text
})

/** Labels that Prometheus adds to every series, and the bound of a histogram's bucket. */
const ADDED = ['job', 'instance', 'le']

const readSamples = (): Sample[] =>
  [...text.matchAll(/^([a-z_0-9]+)(?:\{(.*)\})? /gm)].map(([, name = '', labels = '']) => ({
    name,
    labels: Object.fromEntries([...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, label, value]) => [label, value])),
  }))

/** The name under which a metric is declared: the ends of the names distinguish its parts. */
const familyOf = (metric: string) => metric.replace(/_(?:bucket|sum|count)$/, '')
const isDeclared = (metric: string) =>
  text.includes(`# TYPE ${metric} `) || text.includes(`# TYPE ${familyOf(metric)} histogram\n`)

test('every metric that is asked for is one that the service tells', () => {
  const asked = listQueries().flatMap((query) => listSelectors(query).map(({ metric }) => ({ ...query, metric })))
  expect(asked.length).toBeGreaterThan(60)
  expect(asked.filter(({ metric }) => !isDeclared(metric)).map(({ where, metric }) => `${where}: ${metric}`)).toEqual(
    [],
  )
})

test('every label that is asked for belongs to its metric', () => {
  const labelsOf = (metric: string) => {
    const known = metrics.getSingleMetric(metric) ?? metrics.getSingleMetric(familyOf(metric))
    return [...ADDED, ...((known as unknown as { labelNames: string[] } | undefined)?.labelNames ?? [])]
  }
  const wrong = listQueries().flatMap((query) => {
    const selectors = listSelectors(query)
    const all = [...ADDED, ...selectors.flatMap(({ metric }) => labelsOf(metric))]
    return [
      ...selectors.flatMap(({ metric, matchers }) =>
        matchers.filter(({ label }) => !labelsOf(metric).includes(label)).map(({ label }) => `${metric}{${label}}`),
      ),
      // Counting alerts groups by a label of theirs.
      ...listGroupings(query).filter((label) => !all.includes(label)),
    ].map((problem) => `${query.where}: ${problem}`)
  })
  expect(wrong).toEqual([])
})

test('every queue, state and stream that is asked for exists', () => {
  const samples = readSamples()
  const matches = ({ operator, value }: Matcher, given: string) =>
    operator === '=' ? given === value : operator !== '=~' || new RegExp(`^(?:${value})$`).test(given)
  const shared = /^nameplate_(?:jobs|jobs_oldest_seconds|register_\w+|database_connections|resolutions_total)$/
  const empty = listQueries().flatMap((query) =>
    listSelectors(query)
      .filter(({ metric, matchers }) => shared.test(metric) && matchers.every(({ label }) => label !== 'outcome'))
      .filter(
        ({ metric, matchers }) =>
          !samples.some(
            ({ name, labels }) =>
              name === metric && matchers.every((matcher) => matches(matcher, labels[matcher.label] ?? '')),
          ),
      )
      .filter(({ metric, matchers }) => metric !== 'nameplate_resolutions_total' || !isCompany(matchers))
      .map(({ metric, matchers }) => `${query.where}: ${metric} ${JSON.stringify(matchers)}`),
  )
  expect(empty).toEqual([])
})

/** No account has asked for a company's site here. */
const isCompany = (matchers: readonly Matcher[]) => matchers.some(({ value }) => value === 'company')

test('what was worked on and moved is counted', () => {
  expect(text).toMatch(/^nameplate_resolutions_total\{kind="domain",outcome="scrape_failed"\} 1$/m)
  expect(text).toMatch(/^nameplate_credits_total\{kind="release"\} 1$/m)
  expect(text).toMatch(/^nameplate_register_rest_requests\{state="limit"\} 600$/m)
  expect(text).toMatch(/^nameplate_register_snapshot_age_seconds -1$/m)
  expect(text).toMatch(/^nameplate_register_file_age_seconds\{file="figures"\} -1$/m)
  expect(text).toMatch(/^nameplate_credit_holds_overdue 0$/m)
})

test('a job that nobody takes is seen by its age', async () => {
  await using idle = await startTestService({ work: false })
  const account = await idle.openAccount({ credits: 1 })
  await idle.call('POST', '/v1/resolve/domain', { key: account.key, body: { domain: 'waits-for-long.co.uk' } })
  await idle.app.db.query(`update pgboss.job set start_after = now() - interval '400 seconds' where state < 'active'`)
  const metrics = (await idle.call('GET', '/metrics')).text
  const age = /^nameplate_jobs_oldest_seconds\{queue="resolution\.resolve_domain"\} (\d+)$/m.exec(metrics)?.[1]
  expect(Number(age)).toBeGreaterThanOrEqual(400)
  expect(Number(age)).toBeLessThan(500)
})

test('every statement of the runbook runs on the database as it is', async () => {
  const runbook = readFileSync(join(REPOSITORY, 'docs/runbook.md'), 'utf8')
  const statements = [...runbook.matchAll(/```sql\n([^`]+)```/g)].map(([, sql = '']) => sql.trim().replace(/;$/, ''))
  expect(statements.length).toBeGreaterThan(6)
  for (const sql of statements) await expect(it.app.db.query(sql)).resolves.toBeInstanceOf(Array)
})
