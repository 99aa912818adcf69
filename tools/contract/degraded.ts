/** A second process of the service, whose database is taken away: what a health probe answers then. */
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { pipeline } from 'node:stream'
import { parseEnv } from 'node:util'
import { startProgram } from '../../rig/program.ts'
import type { Settings } from '../../rig/settings.ts'
import { createCall, openAgent } from './client.ts'
import { NotShown, waitFor } from './shown.ts'

/** Ends a process that does not start. */
const LIFE_MS_MAX = 90_000

export async function degrade(environmentFile: string | null) {
  if (!environmentFile) {
    throw new NotShown('needs the settings of a second process whose database can be taken away: --env-file')
  }
  const settings = { ...parseEnv(readFileSync(environmentFile, 'utf8')), LOG_LEVEL: 'info' } as Settings
  const database = new URL(settings['DATABASE_URL'] ?? '')
  const relay = await openRelay({ host: database.hostname, port: Number(database.port || 5432) })
  database.host = `127.0.0.1:${relay.port}`
  // It only answers: jobs and streams stay with the processes that have them.
  const started = startProgram('serve', { ...settings, DATABASE_URL: database.href }, { lifeMs: LIFE_MS_MAX })
  const program = await started.catch((error: unknown) => {
    relay.cut()
    throw new NotShown('needs a second process of the service, which did not start', { cause: error })
  })
  const agent = openAgent(new URL(program.url))
  const probe = () => createCall(new URL(program.url), agent)('GET', '/healthz')
  try {
    const before = await probe()
    relay.cut()
    // A probe may be answered from what was known a moment ago.
    const after = await waitFor('a probe that notices', async () => {
      const answer = await probe()
      return answer.status === 200 ? undefined : answer
    })
    return { before, after }
  } finally {
    await program.kill()
    relay.cut()
    await agent.close()
  }
}

/** Passes connections on until it is cut. */
async function openRelay(to: { host: string; port: number }): Promise<{ port: number; cut(): void }> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(to)
    for (const socket of [near, far]) sockets.add(socket)
    pipeline(near, far, near, () => {
      near.destroy()
      far.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const cut = () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
  return { port: (server.address() as AddressInfo).port, cut }
}
