import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { Replica } from './replica.ts'

/** Lets each client in, as a pooler does while it has no server, and never says another word. */
const LET_IN = Buffer.from('R\0\0\0\x08\0\0\0\0Z\0\0\0\x05I', 'latin1')

test.each(['none', 'pgbouncer'] as const)(
  'a server that lets clients in and then says nothing is refused in time (pooler %s)',
  async (pooler) => {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => undefined))
      socket.once('data', () => socket.write(LET_IN))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const url = `postgres://someone@127.0.0.1:${port}/nameplate`
    const replica = new Replica({
      url,
      connectionsMax: 2,
      applicationName: 'test',
      pooler,
      plansOnce: false,
      onChange: () => undefined,
    })
    const read = () => replica.read({ timeline: '00000001', bytes: 0 }, 'select 1', [])
    for (let count = 0; count < 3; count += 1)
      expect(await read()).toEqual({ refused: expect.stringMatching(/slow|lost/) })
    expect([await read(), replica.isInUse]).toEqual([{ refused: 'paused' }, false])
    await replica.close()
    for (const socket of sockets) socket.destroy()
    server.close()
  },
)
