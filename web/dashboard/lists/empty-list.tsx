import { mayUse, useStore } from '../app/store.tsx';
import { FormButton } from '../forms/form-button.tsx';
import { toCurl } from '../ui/api-call.ts';
import { useLocale } from '../ui/locale.tsx';
import type { TextKey } from '../ui/texts.ts';
import type { ListDeclaration } from './types.ts';

/** Nothing yet: what it will be, one thing to do, and how the API is asked for it. */
export function EmptyList(props: { declaration: ListDeclaration; isFiltered: boolean; clear: () => void }) {
  const { t } = useLocale();
  const store = useStore();
  const { declaration, isFiltered, clear } = props;
  if (isFiltered) {
    return (
      <div className="empty">
        <p>{t('list.noMatch')}</p>
        <button type="button" className="plain-button" onClick={clear}>
          {t('list.clear')}
        </button>
      </div>
    );
  }
  const { create } = declaration;
  return (
    <div className="empty">
      <p className="empty-text">{t(`empty.${declaration.name}` as TextKey)}</p>
      {create && mayUse(store, create.form, create.area) && (store.isTest || !create.onlyTest) ? (
        <FormButton form={create.form} label={t(create.label)} />
      ) : null}
      <pre className="code">{toCurl({ path: declaration.operation })}</pre>
    </div>
  );
}
