/** The companies that a row may mean, and how well each fits. Pure: the same row has the same answer. */
import type { Company } from '../company.ts'
import { isOffRegister } from '../vocabulary.ts'
import { findLegalForm } from './legal-form.ts'
import { isElsewhere } from './office.ts'

/** What a row says of the company that it means. */
export interface NameQuery {
  /** As `toNameKey` writes it; empty when nothing is left of it. */
  nameKey: string
  legalForm: string | null
  number: string | null
  /** As typed. */
  postcode: string | null
}

/** A company, and what it was found by. */
export interface Found {
  company: Company
  /** `letters`: the name itself but for its spaces. `likeness`: a name like it. `postcode`: no name was given. */
  by: 'number' | 'name' | 'letters' | 'previous_name' | 'likeness' | 'previous_likeness' | 'postcode'
  /** How alike the names are, from 0 to 1. */
  likeness: number
}

export interface Candidate extends Found {
  /** From 0 to 100. */
  score: number
  isLive: boolean
  hasOtherForm: boolean
}

/** The very name is before a previous one, and that before any name that is only like it, whatever else is known. */
const SCORES: Record<Found['by'], number> = {
  number: 100,
  name: 100,
  letters: 98,
  previous_name: 88,
  likeness: 86,
  previous_likeness: 80,
  postcode: 50,
}
const OFF_REGISTER_LOSS = 5
const OTHER_FORM_LOSS = 3
const ELSEWHERE_LOSS = 15

/** All of them, best first. */
export function scoreCandidates(query: NameQuery, found: readonly Found[]): Candidate[] {
  return found
    .map((one) => score(query, one))
    .toSorted((a, b) => b.score - a.score || (a.company.number < b.company.number ? -1 : 1))
}

function score(query: NameQuery, found: Found): Candidate {
  const { company, by, likeness } = found
  const isLive = !isOffRegister(company.status)
  const form = findLegalForm(company.name)
  const hasOtherForm = query.legalForm !== null && form !== null && form !== query.legalForm
  const losses = [
    isLive || by === 'number' ? 0 : OFF_REGISTER_LOSS,
    hasOtherForm ? OTHER_FORM_LOSS : 0,
    isElsewhere(query.postcode, company) ? ELSEWHERE_LOSS : 0,
  ]
  const points = SCORES[by] * likeness - losses.reduce((sum, loss) => sum + loss, 0)
  return { ...found, score: Math.round(Math.max(0, points) * 10) / 10, isLive, hasOtherForm }
}
