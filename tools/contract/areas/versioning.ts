import { equals, expectMember, expectRefusal, expectStatus, expectThat, OBJECT, readMember } from '../expectations.ts'
import { type Area, row } from '../row.ts'

/** Probes, and endpoints whose protocols have versions of their own: MCP, and the Reconciliation API. */
const UNVERSIONED = /^\/(healthz|readyz|mcp|reconcile(\/.*)?)$/

export const VERSIONING: Area = {
  title: 'Versioning',
  rows: [
    row(
      'version-prefix',
      'Business endpoints carry the major version in the path prefix /v1',
      async ({ openApi, call }) => {
        const paths = Object.keys(expectMember(await openApi(), 'paths', OBJECT) as object)
        const others = paths.filter((path) => !path.startsWith('/v1/') && !UNVERSIONED.test(path))
        expectThat(others.length === 0, 'every path under /v1', others)
        for (const path of ['/auth/me', '/watchlist', '/companies/search']) expectRefusal(await call('GET', path), 404)
        return `${paths.filter((path) => path.startsWith('/v1/')).length} paths; without the prefix there is nothing`
      },
    ),
    row('version-healthz', 'The health probe is unversioned (/healthz)', async ({ call }) => {
      expectStatus(await call('GET', '/healthz'), 200)
      expectRefusal(await call('GET', '/v1/healthz'), 404)
      return '/healthz, and not /v1/healthz'
    }),
    row('version-mcp', 'The agent endpoint is unversioned (/mcp)', async ({ call }) => {
      expectStatus(await call('POST', '/mcp', { body: {} }), 401)
      expectRefusal(await call('POST', '/v1/mcp', { body: {} }), 404)
      return '/mcp, and not /v1/mcp'
    }),
    row('version-interface', 'The description of the interface is at version 1.0.0', async ({ openApi }) => {
      const answer = await openApi()
      expectMember(answer, 'info.version', equals('1.0.0'))
      return `OpenAPI ${String(readMember(answer.body, 'openapi'))} at /openapi.json`
    }),
  ],
}
