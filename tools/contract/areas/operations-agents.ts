import { callAgent, greet } from '../agent.ts'
import {
  equals,
  expectMember,
  expectStatus,
  expectThat,
  FILLED,
  readColumn,
  readMember,
  readText,
} from '../expectations.ts'
import { type Area, row } from '../row.ts'

export const OPERATIONS_AGENTS: Area = {
  title: 'Operations and agents',
  rows: [
    row('healthz-200', 'GET /healthz → 200 healthy', async ({ call }) => {
      const answer = expectStatus(await call('GET', '/healthz'), 200)
      expectMember(answer, 'status', equals('healthy'))
      return `version ${readText(answer, 'version')}`
    }),
    row(
      'healthz-503',
      'GET /healthz → 503 degraded (the probe includes database reachability)',
      async ({ degradation }) => {
        const { before, after } = await degradation()
        expectMember(expectStatus(before, 200), 'checks.database', equals('ok'))
        expectMember(expectStatus(after, 503), 'status', equals('degraded'))
        expectMember(after, 'checks.database', equals('failed'))
        return `a second process of version ${String(readMember(after.body, 'version'))} was healthy until its way to the database was cut`
      },
    ),
    row('mcp-200-key', 'POST /mcp (K), JSON-RPC → 200 JSON-RPC response', async ({ call, accounts }) => {
      const ask = { key: await accounts.testKey() }
      const greeting = expectStatus(await greet(call, ask), 200)
      expectMember(greeting, 'jsonrpc', equals('2.0'))
      const tools = expectStatus(await callAgent(call, ask, 'tools/list'), 200)
      expectMember(tools, 'result.tools', FILLED)
      const names = readColumn(tools, 'result.tools', 'name')
      return `${readText(greeting, 'result.serverInfo.name')} has ${names.length} tools: ${names.join(', ')}`
    }),
    row(
      'mcp-200-oauth',
      'POST /mcp (OAuth bearer with scope service:mcp), JSON-RPC → 200 JSON-RPC response',
      async ({ connection }) => {
        const { account } = await connection()
        expectMember(expectStatus(account, 200), 'jsonrpc', equals('2.0'))
        expectThat(readMember(account.body, 'result.isError') !== true, 'an answer of the tool', account.body)
        return 'tools/call get_account with a token that a person allowed'
      },
    ),
  ],
}
