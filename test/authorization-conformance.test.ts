/** The protocol's own conformance tool against the authorization server, with a person at the browser. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findFreePort } from '../rig/postgres.ts'
import { resourceOf } from '../src/oauth/index.ts'
import { Browser, registerClient, walkFrom } from './setup/agent-walk.ts'
import { prepare, useTestService } from './setup/harness.ts'

const TOOL = join(import.meta.dirname, '../node_modules/@modelcontextprotocol/conformance/dist/index.js')

const it = useTestService()
const owner = prepare(() => it.openAccount())

/** When the tool prints the address for a browser, a person goes there and allows it. */
async function runScenarios(options: string[], redirectUri: string) {
  const issuer = it.config.siteUrl.origin
  const child = spawn(process.execPath, [TOOL, 'authorization', '--url', issuer, ...options], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 300_000,
    killSignal: 'SIGKILL',
  })
  let output = ''
  let walked: Promise<unknown> | undefined
  const read = (chunk: Buffer) => {
    output += chunk.toString()
    const address = /https?:\/\/\S+\/oauth\/authorize\?\S+(?=\n)/.exec(output)?.[0]
    if (address) walked ??= allow(new URL(address), redirectUri)
  }
  child.stdout.on('data', read)
  child.stderr.on('data', read)
  const [exitCode] = (await once(child, 'close')) as [number | null]
  await walked
  return { exitCode, output }
}

async function allow({ pathname, search }: URL, redirectUri: string): Promise<void> {
  const browser = new Browser(it, owner.token)
  const callback = await walkFrom(pathname + search, { browser, person: owner, redirectUri })
  await fetch(callback)
}

test('the metadata says what a client must know, and a code is granted and redeemed as the protocol says', async () => {
  const port = await findFreePort()
  const redirectUri = `http://127.0.0.1:${port}/callback`
  const clientId = await registerClient(it, { redirect_uris: [redirectUri] })
  const options = ['--client-id', clientId, '--resource', resourceOf(it.app), '--port', String(port)]
  const { exitCode, output } = await runScenarios(options, redirectUri)
  expect([exitCode, exitCode === 0 ? '' : output]).toEqual([0, ''])
  for (const scenario of ['authorization-server-metadata-endpoint', 'authorization-code-grant']) {
    expect(output).toMatch(new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`))
  }
})
