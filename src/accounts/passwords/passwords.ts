import { createRequire } from 'node:module'
import { hash, verify } from '@node-rs/argon2'
import type * as CommonPasswords from '@zxcvbn-ts/language-common'
import { DomainError } from '../../errors.ts'
import { Semaphore } from '../../lib/limits/semaphore.ts'

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 256

// The library's default algorithm, argon2id, at OWASP's first choice of cost: 19 MiB, two passes, about 25 ms.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

// Each hash takes 19 MiB and a core: without a bound, a flood of logins would take the machine.
const HASHES = { slots: 4, queueMax: 64 }
const hashing = new Semaphore(HASHES)

/** Takes every slot, working or waiting, until `done` settles: what a flood of sign-ins does, held still. */
export function occupyEverySlot(done: Promise<void>): void {
  for (let slot = 0; slot < HASHES.slots + HASHES.queueMax; slot += 1) {
    void bounded(() => done)
  }
}

export async function hashPassword(password: string): Promise<string> {
  return bounded(() => hash(password, COST))
}

/** For an unknown account pass null: it takes the same time and answers false. */
export async function isPasswordCorrect(passwordHash: string | null, password: string): Promise<boolean> {
  return bounded(async () => {
    const standIn = await unknownAccountHash()
    const matches = await verify(passwordHash ?? standIn, password)
    return passwordHash !== null && matches
  })
}

/** Refuses what an attacker tries first: common passwords, our name, the address itself. */
export function assertAcceptablePassword(
  password: string,
  { email, field }: { email: string; field: 'password' | 'new_password' },
): void {
  const lower = password.toLowerCase()
  const localPart = email.slice(0, email.indexOf('@')).toLowerCase()
  if (isCommon(lower) || lower.includes('nameplate') || lower === localPart || lower === email.toLowerCase()) {
    throw new DomainError(
      'password_too_common',
      'This password is one that attackers try first. Choose a longer one.',
      {
        errors: [{ field, message: 'is one that attackers try first; choose a few unrelated words' }],
      },
    )
  }
}

let unknownHash: Promise<string> | undefined
function unknownAccountHash(): Promise<string> {
  unknownHash ??= hash('no account has this password', COST)
  return unknownHash
}

const require = createRequire(import.meta.url)
let common: Set<string> | undefined
function isCommon(lowerPassword: string): boolean {
  // Loaded when first asked: most processes never set a password.
  common ??= new Set((require('@zxcvbn-ts/language-common') as typeof CommonPasswords).dictionary['passwords-common'])
  return common.has(lowerPassword)
}

async function bounded<Result>(work: () => Promise<Result>): Promise<Result> {
  const leave = await hashing.enter()
  if (!leave)
    throw new DomainError('busy', 'Too many sign-ins at this moment. Try again in a few seconds.', {
      retryAfterSeconds: 2,
    })
  try {
    return await work()
  } finally {
    leave()
  }
}
