import pg from 'pg'
import { IN_UTC } from './pool.ts'

/**
 * One connection of its own, outside every pool. Without a listener, an error that the server sends between two statements
 * would end the process; with one, the next statement fails.
 */
export async function openConnection(
  url: string,
  settings: Omit<pg.ClientConfig, 'connectionString'> = {},
): Promise<pg.Client> {
  const client = new pg.Client({ ...settings, connectionString: url })
  client.on('error', () => undefined)
  await client.connect()
  await client.query(IN_UTC)
  return client
}
