import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams, useSearchParams } from 'wouter'
import type { CompanyProfile, CompanySignals } from '../../api/bodies.ts'
import { ApiProblem, callApi } from '../../api/client.ts'
import { useOpenedFind } from '../../palette/opened-find.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Button, Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { type Tab, Tabs } from '../../ui/tabs.tsx'
import { showMoment } from '../../ui/words.ts'
import { WatchButton } from '../../watching/watch-button.tsx'
import './companies.css'
import { Paged } from '../../ui/paged.tsx'
import { SignalLine } from '../../watching/signal-line.tsx'
import { GroupTree } from './company-group.tsx'
import { Figures } from './figures.tsx'
import { Filings } from './filings.tsx'
import { KeyFacts } from './key-facts.tsx'
import { MISSING_REASONS, PART_NAMES } from './part-names.ts'
import { registerPage } from './register-page.ts'
import { ChargesAndInsolvency, PeopleAndOwners } from './register-parts.tsx'
import { FindWebsite } from './website.tsx'

export function CompanyScreen() {
  const { id: number } = useParams<{ id: string }>()
  return <Company key={number} number={number} />
}

function Company({ number }: { number: string }) {
  const profile = useQuery({
    queryKey: ['company', number],
    queryFn: ({ signal }) => callApi<CompanyProfile>('GET', `/v1/companies/${encodeURIComponent(number)}`, { signal }),
  })
  const { company_name: name, company_number: known } = profile.data ?? {}
  useOpenedFind(name && known ? { title: name, detail: known, href: `/companies/${known}` } : null)
  if (isUnknown(profile.error)) return <NoSuchCompany number={number} />
  return (
    <div className="stack">
      {profile.data ? <Head profile={profile.data} /> : <ScreenHead title={`Company ${number}`} />}
      <Loaded query={profile} what="the company">
        {(company) => (
          <Profile profile={company} onRetry={() => void profile.refetch()} isFetching={profile.isFetching} />
        )}
      </Loaded>
    </div>
  )
}

function isUnknown(error: unknown): boolean {
  return error instanceof ApiProblem && (error.status === 404 || error.status === 400)
}

function NoSuchCompany({ number }: { number: string }) {
  return (
    <div className="stack">
      <ScreenHead title={`Company ${number}`} />
      <Empty title="No company has this number" action={<Link href="/companies">Search by name</Link>}>
        A company number has eight characters, such as 07214938 or SC123456. You can leave out leading zeros. Letters
        show where the company is registered. VAT numbers and charity numbers are different.
      </Empty>
    </div>
  )
}

function Head({ profile }: { profile: CompanyProfile }) {
  const { company_name: name, company_number: number, company_type_text: type } = profile
  useEffect(() => {
    document.title = `${name} · Nameplate`
    return () => {
      document.title = 'Companies · Nameplate'
    }
  }, [name])
  return (
    <div className="stack-small">
      <ScreenHead title={name} actions={<WatchButton company={{ number, name }} />} />
      <div className="row">
        {profile.company_status && <StatusBadge company={profile} />}
        <span className="soft">{type}</span>
        <span>
          <span className="soft">Number</span> <span className="mono">{number}</span>
        </span>
        <CopyButton text={number} what="the company number" />
        <a href={registerPage(number)} target="_blank" rel="noreferrer">
          Companies House
        </a>
      </div>
    </div>
  )
}

function Profile({ profile, onRetry, isFetching }: ProfileProps) {
  const [search, setSearch] = useSearchParams()
  const tabs = listTabs(profile)
  const chosen = Math.max(
    0,
    tabs.findIndex(({ id }) => id === search.get('tab')),
  )
  const choose = (index: number) => {
    const id = tabs[index]?.id ?? ''
    setSearch(index === 0 ? {} : { tab: id }, { replace: true })
  }
  return (
    <>
      <Warnings warnings={profile.warnings} />
      <Missing profile={profile} onRetry={onRetry} isFetching={isFetching} />
      <Tabs label="About the company" tabs={tabs} chosen={chosen} onChoose={choose} />
      <p className="small soft">Register entry as of {showMoment(profile.as_of.company)}.</p>
    </>
  )
}

/** The address names the tab, so that it can be sent to a colleague. */
function listTabs(profile: CompanyProfile): Array<Tab & { id: string }> {
  const { company_number: number, totals } = profile
  const people = (totals.officers ?? 0) + (totals.pscs ?? 0)
  return [
    { id: 'overview', name: 'Overview', content: <Overview profile={profile} /> },
    {
      id: 'people',
      name: 'People and owners',
      note: people || undefined,
      content: <PeopleAndOwners profile={profile} />,
    },
    { id: 'group', name: 'Group', content: <GroupTree companyNumber={number} /> },
    { id: 'filings', name: 'Filings', note: totals.filings || undefined, content: <Filings profile={profile} /> },
    {
      id: 'charges',
      name: 'Charges and insolvency',
      note: totals.charges || undefined,
      content: <ChargesAndInsolvency profile={profile} />,
    },
    { id: 'figures', name: 'Figures', content: <Figures figures={profile.figures} asOf={profile.figures_as_of} /> },
    {
      id: 'changes',
      name: 'Changes',
      content: (
        <Card title="Changes">
          <Timeline companyNumber={number} />
        </Card>
      ),
    },
  ]
}

function Overview({ profile }: { profile: CompanyProfile }) {
  return (
    <div className="stack">
      <KeyFacts profile={profile} />
      <FindWebsite companyNumber={profile.company_number} proven={profile.proven_websites ?? []} />
    </div>
  )
}

/** Shows what to know before anything else. */
function Warnings({ warnings }: Pick<CompanyProfile, 'warnings'>) {
  if (warnings.length === 0) return null
  const isSerious = warnings.some(({ severity }) => severity === 'high')
  return (
    <section className={`note ${isSerious ? 'bad' : 'warn'}`} aria-label="Warnings">
      {warnings.map(({ code, severity, text }) => (
        <p key={code}>{severity === 'high' ? <strong>{text}</strong> : text}</p>
      ))}
    </section>
  )
}

interface ProfileProps {
  profile: CompanyProfile
  onRetry: () => void
  isFetching: boolean
}

type Missed = CompanyProfile['missing'][number]

/** Shows which parts are missing and why, so that no one mistakes an empty list for a clean record. */
function Missing({ profile, onRetry, isFetching }: ProfileProps) {
  if (profile.missing.length === 0) return null
  const canRetry = profile.missing.some(({ reason }) => reason !== 'not_configured')
  return (
    <div className="note warn">
      <strong>Some data is missing</strong>
      {[...Map.groupBy(profile.missing, ({ reason }) => reason)].map(([reason, missed]) => (
        <p key={reason}>
          {namesOf(missed)}: {MISSING_REASONS[reason]}.{formatRetryTime(missed)}
        </p>
      ))}
      {canRetry && (
        <div>
          <Button look="quiet" small busy={isFetching} onClick={onRetry}>
            Try the register again
          </Button>
        </div>
      )}
    </div>
  )
}

function namesOf(missed: Missed[]): string {
  const names = missed.map(({ part }) => PART_NAMES[part].toLowerCase()).join(', ')
  return names.charAt(0).toUpperCase() + names.slice(1)
}

function formatRetryTime(missed: Missed[]): string {
  const last = missed
    .flatMap(({ retry_at: at }) => at ?? [])
    .toSorted()
    .at(-1)
  return last ? ` Try again after ${showMoment(last)}.` : ''
}

/** Lists the signals of a company, newest first, also when it is not watched. */
function Timeline({ companyNumber }: { companyNumber: string }) {
  const signals = useInfiniteQuery({
    queryKey: ['company', companyNumber, 'signals'],
    queryFn: ({ pageParam, signal }) =>
      callApi<CompanySignals>('GET', `/v1/companies/${companyNumber}/signals`, {
        query: { cursor: pageParam, limit: 10 },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor: next }) => next ?? undefined,
  })
  return (
    <div className="stack-small">
      <Paged query={signals} what="the changes" more="Earlier changes">
        {(items) =>
          items.length === 0 ? (
            <p className="soft">
              No changes recorded yet. Watch the company to get its changes in Signals and by webhook.
            </p>
          ) : (
            <ol className="timeline">
              {items.map((signal) => (
                <SignalLine key={signal.id} signal={signal} />
              ))}
            </ol>
          )
        }
      </Paged>
    </div>
  )
}
