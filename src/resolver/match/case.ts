import type { SiteFindings } from '../extract/findings.ts'
import type { Outcome, Situation } from '../resolution.ts'
import type { UnknownNumber } from './claims.ts'
import type { Dossier } from './dossier.ts'
import type { ForeignClaim } from './foreign-claims.ts'
import type { RegisterView } from './register-view.ts'

/** Everything known about a site and the companies that it mentions. */
export interface Case {
  findings: SiteFindings
  view: RegisterView
  dossiers: Dossier[]
  foreign: ForeignClaim[]
  unknown: UnknownNumber[]
}

/** The decision on a site, with its reason in one sentence and the candidates. */
export interface Verdict {
  outcome: Outcome
  situation: Situation
  reason: string
  /** Best first. */
  candidates: Dossier[]
}

export const review = (situation: Situation, reason: string, candidates: Dossier[]): Verdict => ({
  outcome: 'needs_review',
  situation,
  reason,
  candidates,
})

export const noMatch = (reason: string): Verdict => ({
  outcome: 'no_match',
  situation: 'nobody',
  reason,
  candidates: [],
})
