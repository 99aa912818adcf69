import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import type { Command } from 'commander'
import { Nameplate, NameplateError } from '../client.ts'
import { storeConnection } from '../connection.ts'
import { printJson, wantsJson } from '../output.ts'

interface LoginOptions {
  url: string
  apiKey?: string
  email?: string
}

/** Stores the account's key for later commands; asks for what the options leave out. */
export function addLoginCommand(program: Command): void {
  program
    .command('login')
    .description('store the key of your account on this machine, readable only by you')
    .requiredOption('--url <address>', 'of the API, such as https://api.example.com')
    .option('--api-key <key>', 'use this key instead of asking for e-mail address and password')
    .option('--email <address>', 'asked for when left out')
    .action(async (options: LoginOptions, command: Command) => {
      const baseUrl = new URL(options.url).origin
      const apiKey = options.apiKey ?? (await logIn(baseUrl, options.email))
      const { email, credits } = await new Nameplate({ baseUrl, apiKey }).account()
      const file = storeConnection({ baseUrl, apiKey })
      if (wantsJson(command)) return printJson({ email, credits, file })
      console.log(`Logged in as ${email}: ${credits.available} credits available. The key is in ${file}.`)
    })
}

async function logIn(baseUrl: string, given: string | undefined): Promise<string> {
  const email = given ?? (await ask('E-mail address: ', true))
  const password = await ask('Password: ', false)
  const answer = await fetch(new URL('/v1/auth/login', baseUrl), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const body = (await answer.json()) as { api_key?: string; detail?: string; code?: string }
  if (answer.ok && body.api_key) return body.api_key
  const detail = body.detail ?? 'The service did not let you in.'
  throw new NameplateError({ status: answer.status, code: body.code ?? 'login_failed', detail, retryable: false })
}

async function ask(question: string, isShown: boolean): Promise<string> {
  process.stderr.write(question)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({
    input: process.stdin,
    output: isShown ? process.stderr : nowhere,
    terminal: process.stdin.isTTY,
  })
  try {
    for await (const line of lines) return line.trim()
    return ''
  } finally {
    lines.close()
    if (!isShown) process.stderr.write('\n')
  }
}
