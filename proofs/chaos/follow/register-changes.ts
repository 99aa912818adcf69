/** Random changes to companies of the simulated register, each with the signals that must come of it. */

import type { SimulatedCompaniesHouse } from '../../../rig/companies-house/index.ts'
import { Random } from '../../../rig/random.ts'
import { countUp } from '../../../rig/statistics.ts'
import { addDaysToDate } from '../../../src/lib/clock.ts'

/** A company while it is changed. */
interface Subject {
  number: string
  /** Counts changes, so that every value is new and every date later than the last. */
  step: number
  accountsType: string
  directors: string[]
  charges: string[]
  pscs: string[]
  statements: string[]
  isInsolvent: boolean
  isStrikeOffProposed: boolean
}

/** Whether it is possible now, the types of the signals that must come of it, and what makes it. */
type Change = [isPossible: boolean, signals: string[], make: () => unknown]

const ACCOUNTS_TYPES = ['micro-entity', 'dormant', 'total-exemption-full', 'small', 'full']
// Facts older than this before their event may pass in silence, so dates stay within it.
const DAYS = 75

export class RandomChanges {
  /** `number type` → how often that signal must exist. */
  readonly expected = new Map<string, number>()
  readonly #house: SimulatedCompaniesHouse
  readonly #subjects: Subject[]
  readonly #random: Random
  readonly #firstDay: string

  /** `firstOwnerOf` and `firstStatementOf` return the owner and the statement that a company has before the first change. */
  constructor(
    house: SimulatedCompaniesHouse,
    options: {
      today: string
      seed: number
      firstOwnerOf?: (number: string) => string
      firstStatementOf?: (number: string) => string
    },
  ) {
    this.#house = house
    this.#firstDay = addDaysToDate(options.today, -DAYS)
    this.#random = new Random(options.seed)
    this.#subjects = house.companyNumbers().map((number) => ({
      number,
      step: 0,
      accountsType: '',
      directors: [],
      charges: [],
      pscs: options.firstOwnerOf ? [options.firstOwnerOf(number)] : [],
      statements: options.firstStatementOf ? [options.firstStatementOf(number)] : [],
      isInsolvent: false,
      isStrikeOffProposed: false,
    }))
  }

  /** Makes one change to one company. */
  makeOne(): void {
    const subject = this.#random.pick(this.#subjects)
    if (!subject || subject.step >= DAYS) return this.#house.changes.touch(this.#subjects[0]?.number ?? '')
    subject.step += 1
    const changes = this.#listChanges(subject, addDaysToDate(this.#firstDay, subject.step))
    const [, signals, make] = this.#random.pick(changes.filter(([isPossible]) => isPossible))
    make()
    for (const type of signals) countUp(this.expected, `${subject.number} ${type}`)
  }

  #listChanges(subject: Subject, on: string): Change[] {
    const { changes } = this.#house
    const { number, step, directors, charges, pscs, statements, isInsolvent, isStrikeOffProposed } = subject
    const address = { address_line_1: `${step} High Street`, locality: 'Leeds', postal_code: `LS1 ${step % 10}AA` }
    const accountsType = ACCOUNTS_TYPES[step % ACCOUNTS_TYPES.length] ?? 'small'
    // The first accounts ever filed raise no change of their type.
    const isOtherType = subject.accountsType !== '' && subject.accountsType !== accountsType
    const fileAccounts = () => {
      subject.accountsType = accountsType
      changes.fileAccounts(number, { madeUpTo: on, type: accountsType, on })
    }
    const becomeInsolvent = () => {
      subject.isInsolvent = true
      changes.becomeInsolvent(number, on)
    }
    const strikeOff = () => {
      subject.isStrikeOffProposed = !isStrikeOffProposed
      if (isStrikeOffProposed) changes.discontinueStrikeOff(number, on)
      else changes.proposeStrikeOff(number, on)
    }
    return [
      [true, ['name_changed'], () => changes.rename(number, `RENAMED ${number} ${step} LIMITED`, on)],
      [true, ['registered_office_changed'], () => changes.changeRegisteredOffice(number, address, on)],
      [
        true,
        ['sic_codes_changed', 'confirmation_filed'],
        () => changes.changeSicCodes(number, [String(10_000 + step)], on),
      ],
      [true, ['accounts_filed', ...(isOtherType ? ['accounts_type_changed'] : [])], fileAccounts],
      [true, ['confirmation_filed'], () => changes.fileConfirmationStatement(number, { madeUpTo: on, on })],
      [true, ['director_appointed'], () => directors.push(changes.appointOfficer(number, `DIRECTOR, No ${step}`, on))],
      [true, ['charge_registered'], () => charges.push(changes.registerCharge(number, { createdOn: on, on }))],
      [
        true,
        ['psc_changed', 'majority_owner_added'],
        () => pscs.push(changes.notifyPsc(number, { name: `Owner ${step}` }, on)),
      ],
      [true, [], () => changes.touch(number)],
      [directors.length > 0, ['director_resigned'], () => changes.resignOfficer(number, directors.shift() ?? '', on)],
      [charges.length > 0, ['charge_satisfied'], () => changes.satisfyCharge(number, charges.shift() ?? '', on)],
      [pscs.length > 0, ['psc_changed'], () => changes.ceasePsc(number, pscs.shift() ?? '', on)],
      // What the register takes back is removed in silence.
      [pscs.length > 0, [], () => changes.removePsc(number, pscs.shift() ?? '')],
      [
        true,
        ['psc_statement_made'],
        () => statements.push(changes.statePsc(number, 'psc-exists-but-not-identified', on)),
      ],
      [
        statements.length > 0,
        ['psc_statement_withdrawn'],
        () => changes.withdrawStatement(number, statements.shift() ?? '', on),
      ],
      [true, [], () => changes.exempt(number, 'disclosure-transparency-rules-chapter-five-applies', { from: on })],
      [!isInsolvent, [isStrikeOffProposed ? 'strike_off_discontinued' : 'strike_off_proposed'], strikeOff],
      [!isInsolvent && !isStrikeOffProposed, ['insolvency_started', 'status_changed'], becomeInsolvent],
    ]
  }
}
