/**
 * The protocol's own conformance tool against the whole service: all that it requires of a server, in both eras. What a
 * product cannot pass is written down with its reason, check by check, in `test/conformance/<revision>.yml`.
 */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runConformance } from './conformance/conformance-tool.ts'
import { type KeyProxy, openKeyProxy } from './conformance/key-proxy.ts'
import { useTestService } from './setup/harness.ts'

const it = useTestService()
let proxy: KeyProxy
beforeAll(async () => {
  const { id, key } = await it.openAccount()
  // Some hundred requests in two seconds are more than a free plan has.
  await it.app.db.query(`update account set plan = 'scale' where id = $1`, [id])
  proxy = await openKeyProxy(new URL('/mcp', it.config.baseUrl), key)
})
afterAll(() => proxy[Symbol.asyncDispose]())

/** Scenarios that need nothing of the tool's example server. In these nothing may fail but single checks of the baseline. */
const OF_EVERY_SERVER = {
  '2026-07-28': [
    'server-stateless',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'sep-2164-resource-not-found',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'input-required-result-unsupported-methods',
    'input-required-result-validate-input',
    'http-header-validation',
  ],
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'server-sse-multiple-streams',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
}

describe.each(Object.entries(OF_EVERY_SERVER))('%s', (revision, scenarios) => {
  const baseline = join(import.meta.dirname, 'conformance', `${revision}.yml`)

  test('passes but for what is written down', async () => {
    const { exitCode, checks, output } = await runConformance({ url: proxy.url, revision, baseline })
    const expected = new Set(await readBaseline(baseline))
    const passed = checks.filter(({ status }) => status === 'SUCCESS')
    const ours = passed.filter(({ scenario }) => scenarios.includes(scenario))
    console.log(
      `conformance ${revision}: ${passed.length} checks passed, ${ours.length} of them in the ${scenarios.length} scenarios of every server; ${expected.size} failures expected`,
    )
    const failed = checks.filter(({ status }) => status === 'FAILURE').map(({ scenario, id }) => `${scenario}:${id}`)
    const surprises = failed.filter((check) => scenarios.includes(check.split(':')[0] ?? '') && !expected.has(check))
    expect(surprises).toEqual([])
    expect(scenarios.filter((name) => !checks.some(({ scenario }) => scenario === name))).toEqual([])
    // Every message we sent is one of the protocol's schema.
    expect(checks.filter(({ id, status }) => id === 'wire-schema-valid' && status !== 'SUCCESS')).toEqual([])
    expect([exitCode, exitCode === 0 ? '' : output.slice(-4_000)]).toEqual([0, ''])
  })

  test('each expected failure has its reason', async () => {
    const lines = (await readFile(baseline, 'utf8')).split('\n').filter((line) => /^\s*-/.test(line))
    expect(lines.filter((line) => !/^ {2}- [\w-]+:[\w-]+ # \w.{10,}$/.test(line))).toEqual([])
  })
})

async function readBaseline(file: string): Promise<string[]> {
  return [...(await readFile(file, 'utf8')).matchAll(/^ {2}- (\S+)/gm)].map(([, entry]) => entry ?? '')
}
