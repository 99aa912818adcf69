/** The service to call and the key: from the options, else the environment, else what `nameplate login` stored. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { Nameplate } from './client.ts'

export interface Connection {
  baseUrl: string
  apiKey: string
}

export class NotConnected extends Error {
  constructor() {
    super(
      'You are not logged in. Run: nameplate login --url <address of the API>\nor set NAMEPLATE_API_URL and NAMEPLATE_API_KEY.',
    )
  }
}

/** Throws `NotConnected` when the address or the key is missing. */
export function getConnection(given: Partial<Connection> = {}): Connection {
  const stored = readStored()
  const baseUrl = given.baseUrl ?? findServiceAddress()
  const apiKey = given.apiKey ?? process.env['NAMEPLATE_API_KEY'] ?? stored?.apiKey
  if (!baseUrl || !apiKey) throw new NotConnected()
  return { baseUrl, apiKey: parseApiKey(apiKey) }
}

/** Returns the address of the service, which needs no key; null where none is configured. */
export function findServiceAddress(): string | null {
  return process.env['NAMEPLATE_API_URL'] ?? readStored()?.baseUrl ?? null
}

export function connect(): Nameplate {
  return new Nameplate(getConnection())
}

/** Stores the connection in a file that only this user can read, and returns its path. */
export function storeConnection(connection: Connection): string {
  const file = connectionFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  writeFileSync(file, `${JSON.stringify(connection, null, 2)}\n`, { mode: 0o600 })
  return file
}

function connectionFile(): string {
  const folder = process.env['XDG_CONFIG_HOME'] ?? join(homedir(), '.config')
  return join(folder, 'nameplate', 'connection.json')
}

function readStored(): Partial<Connection> | null {
  try {
    return JSON.parse(readFileSync(connectionFile(), 'utf8')) as Partial<Connection>
  } catch {
    return null
  }
}

function parseApiKey(text: string): string {
  const key = text.trim()
  if (/^[\x21-\x7e]+$/.test(key)) return key
  throw new Error('This is not an API key. Copy it again from your login.')
}
