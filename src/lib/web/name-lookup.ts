import { Resolver } from 'node:dns/promises'
import { BlockList, isIP, isIPv4 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { isPublicAddress } from './address-guard.ts'
import { codeOf, GuardError } from './guard-error.ts'

const ASK_TIMEOUT_MS = 1_500
const ASK_TRIES = 2
const NAMES_MAX = 200
const ADDRESSES_PER_FAMILY_MAX = 4
const OWN_ADDRESSES_MS = 1_000

/**
 * The name servers of all sessions of a client. It keeps no answers: every session asks for itself. To open a resolver reads
 * the settings of the machine, which takes longer than a question.
 */
export class NameServers {
  readonly resolver = new Resolver({ timeout: ASK_TIMEOUT_MS, maxTimeout: ASK_TIMEOUT_MS, tries: ASK_TRIES })
  #own = { addresses: new BlockList(), readUntilMs: 0 }

  /** Without servers, the machine's resolvers are asked. */
  constructor(servers: readonly string[]) {
    if (servers.length > 0) this.resolver.setServers(servers)
  }

  /** True for an address that anyone could reach and that is not ours. Our own addresses are read once a second. */
  isAllowed(address: string): boolean {
    const nowMs = performance.now()
    if (nowMs >= this.#own.readUntilMs) {
      this.#own = { addresses: listOwnAddresses(), readUntilMs: nowMs + OWN_ADDRESSES_MS }
    }
    return isPublicAddress(address) && !this.#own.addresses.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
  }

  /** Ends the questions of all sessions. */
  close(): void {
    this.resolver.cancel()
  }
}

/**
 * The names of one session: each is asked of the name servers once, checked, and means the same addresses from then on,
 * so that a name cannot be public when it is checked and private when it is dialled. The machine's own host file is never
 * read.
 */
export class NameLookup {
  readonly #servers: NameServers
  readonly #pinned = new Map<string, Promise<string[]>>()

  constructor(servers: NameServers) {
    this.#servers = servers
  }

  /** `host` has passed `checkHost`. The order is the order of dialling. */
  addressesOf(host: string): Promise<string[]> {
    const known = this.#pinned.get(host)
    if (known) return known
    if (this.#pinned.size >= NAMES_MAX) return Promise.reject(new GuardError('name_failed', 'too_many_names'))
    const asked = this.#ask(host)
    this.#pinned.set(host, asked)
    // A name server that was silent for a moment has said nothing that would have to stay true.
    asked.catch((error: unknown) => {
      const isAnswer = error instanceof GuardError && (error.reason === 'blocked' || error.reason === 'name_not_found')
      if (!isAnswer) this.#pinned.delete(host)
    })
    return asked
  }

  async #ask(host: string): Promise<string[]> {
    const { resolver } = this.#servers
    const [ipv4, ipv6] =
      isIP(host) !== 0
        ? [{ found: [host], problem: null }, NOTHING]
        : await Promise.all([answerOf(resolver.resolve4(host)), answerOf(resolver.resolve6(host))])
    const found = [...ipv4.found, ...ipv6.found]
    if (found.length === 0) throw describeNoAnswer([ipv4.problem, ipv6.problem])
    // One forbidden address among public ones is an attempt, not a mistake to be filtered out.
    if (!found.every((address) => this.#servers.isAllowed(address))) throw new GuardError('blocked', 'address')
    return [ipv4, ipv6].flatMap((answer) => answer.found.slice(0, ADDRESSES_PER_FAMILY_MAX))
  }
}

interface NameAnswer {
  found: string[]
  problem: unknown
}

const NOTHING: NameAnswer = { found: [], problem: null }

async function answerOf(asked: Promise<string[]>): Promise<NameAnswer> {
  try {
    return { found: await asked, problem: null }
  } catch (problem) {
    return { found: [], problem }
  }
}

const NO_SUCH_NAME = new Set<string | null>(['ENOTFOUND', 'ENODATA'])

function describeNoAnswer(problems: unknown[]): GuardError {
  const real = problems.filter((problem) => problem !== null)
  if (real.every((problem) => NO_SUCH_NAME.has(codeOf(problem)))) return new GuardError('name_not_found', null, real[0])
  const late = real.find((problem) => codeOf(problem) === 'ETIMEOUT')
  if (late) return new GuardError('name_timeout', null, late)
  const failed = real.find((problem) => !NO_SUCH_NAME.has(codeOf(problem)))
  return new GuardError('name_failed', codeOf(failed), failed)
}

/** A machine with a public address of its own would reach itself there. */
function listOwnAddresses(): BlockList {
  const list = new BlockList()
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])) {
    if (!address.includes('%')) list.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6')
  }
  return list
}
