import { createRequire } from 'node:module'
import { hash, verify } from '@node-rs/argon2'
import type * as CommonPasswords from '@zxcvbn-ts/language-common'
import type { App } from '../../app.ts'
import { DomainError } from '../../errors.ts'
import { runInSlot } from '../../limits.ts'

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 256

// The library's default algorithm, argon2id, at OWASP's first choice of cost: 19 MiB, two passes, about 25 ms.
const COST = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

const TOO_MANY = 'Too many sign-ins at this moment. Try again in a few seconds.'

type Hashing = Pick<App, 'passwordSlots'>

export async function hashPassword({ passwordSlots }: Hashing, password: string): Promise<string> {
  return runInSlot(passwordSlots, TOO_MANY, () => hash(password, COST))
}

/** For an unknown account pass null: it takes the same time and returns false. */
export async function isPasswordCorrect(
  { passwordSlots }: Hashing,
  passwordHash: string | null,
  password: string,
): Promise<boolean> {
  return runInSlot(passwordSlots, TOO_MANY, async () => {
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
