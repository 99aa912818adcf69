import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link, useParams } from 'wouter'
import type { CompanyProfile } from '../../api/bodies.ts'
import { ApiProblem, callApi } from '../../api/client.ts'
import { StatusBadge } from '../../register/status-badge.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Card, Empty, ScreenHead } from '../../ui/parts.tsx'
import { showCompanyType, showMoment } from '../../ui/words.ts'
import { WatchButton } from '../../watching/watch-button.tsx'
import '../../styles/companies.css'
import { KeyFacts } from './key-facts.tsx'
import { Missing } from './missing.tsx'
import { RegisterParts } from './register-parts.tsx'
import { Timeline } from './timeline.tsx'
import { FindWebsite } from './website.tsx'

export function CompanyScreen() {
  const { number } = useParams<{ number: string }>()
  return <Company key={number} number={number} />
}

function Company({ number }: { number: string }) {
  const profile = useQuery({
    queryKey: ['company', number],
    queryFn: ({ signal }) => callApi<CompanyProfile>('GET', `/v1/companies/${encodeURIComponent(number)}`, { signal }),
  })
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
  const { company_name: name, company_number: number, company_type: type } = profile
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
        <span className="soft">{showCompanyType(type)}</span>
        <span>
          <span className="soft">Number</span> <span className="mono">{number}</span>
        </span>
        <CopyButton text={number} what="the company number" />
      </div>
    </div>
  )
}

function Profile({ profile, onRetry, isFetching }: ProfileProps) {
  return (
    <>
      <Missing profile={profile} onRetry={onRetry} isFetching={isFetching} />
      <KeyFacts profile={profile} />
      <div className="columns">
        <Card title="Changes">
          <Timeline companyNumber={profile.company_number} />
        </Card>
        <FindWebsite companyNumber={profile.company_number} proven={profile.proven_websites ?? []} />
      </div>
      <RegisterParts profile={profile} />
      <p className="small soft">Register entry as of {showMoment(profile.as_of.company)}.</p>
    </>
  )
}

interface ProfileProps {
  profile: CompanyProfile
  onRetry: () => void
  isFetching: boolean
}
