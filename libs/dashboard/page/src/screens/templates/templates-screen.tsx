import { Link, useParams } from 'wouter';
import { ContentsHidden, OnlyFor } from '../../parts/only-for';
import { ScreenHead } from '../../parts/screen-head';
import { TemplateEditor } from './template-editor';
import { TemplateList } from './template-list';
import { TEXTS } from './texts';
import './templates.css';

/** Templates of emails. */
export default function TemplatesScreen() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <TemplateList />;
  return (
    <OnlyFor needs="support" else={<HiddenTemplate />}>
      <TemplateEditor key={id} id={id} />
    </OnlyFor>
  );
}

function HiddenTemplate() {
  return (
    <>
      <ScreenHead title={TEXTS.one}>
        <Link href="/templates" className="end">
          {TEXTS.missing.all}
        </Link>
      </ScreenHead>
      <div className="template-hidden">
        <ContentsHidden />
      </div>
    </>
  );
}
