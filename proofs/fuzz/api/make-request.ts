import type { Random } from '../../../rig/random.ts'
import type { Cast } from '../../../rig/requests/cast.ts'
import type { Operation } from '../../../rig/requests/operations.ts'
import { draftRequest, writeDown } from './draft-request.ts'
import { MUTATIONS } from './mutations.ts'

export interface FuzzRequest {
  operation: Operation
  /** The changes made to it; none for a request as the document has it. */
  mutations: string[]
  method: string
  path: string
  headers: Record<string, string | string[]>
  body: string | Buffer | null
}

const LEFT_ALONE_SHARE = 0.22
const MUTATIONS_MAX = 2

/** A request as the document has it, then made worse. */
export function makeRequest(random: Random, operation: Operation, cast: Cast): FuzzRequest {
  const draft = draftRequest(random, operation, cast)
  const mutations: string[] = []
  if (!random.isTrue(LEFT_ALONE_SHARE)) {
    for (let count = 1 + random.below(MUTATIONS_MAX); count > 0; count -= 1) {
      const { name, mutate } = random.pick(MUTATIONS.filter(({ fits }) => fits(draft)))
      mutate(random, draft, cast)
      mutations.push(name)
    }
  }
  return { operation, mutations, method: draft.method, ...writeDown(draft) }
}
