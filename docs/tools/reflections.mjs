import { ReflectionKind } from 'typedoc';

/** Types that an app only reads. Their optional fields may be missing instead of having a default. */
const read = ['Breadcrumb', 'HealthEvent'];
/** Members of a component that only React calls. */
const reacts = ['componentDidCatch', 'constructor', 'contextType', 'getDerivedStateFromError', 'render', 'state'];

/** Prepares what TypeDoc has read of entries for their pages. */
export function prepare(project, entries) {
  nameModules(project, entries);
  for (const each of project.getReflectionsByKind(ReflectionKind.Class)) {
    leaveOutReact(project, each);
    leaveOutProvider(project, each);
  }
  for (const alias of project.getReflectionsByKind(ReflectionKind.TypeAlias)) listValues(alias);
  for (const exported of project.getReflectionsByKind(ReflectionKind.All).filter(({ name }) => name === 'export=')) {
    nameExport(project, exported);
  }
}

/** Gives modules the names of their pages. A single entry is the project itself. */
function nameModules(project, entries) {
  const [only, ...others] = Object.keys(entries);
  if (others.length === 0) {
    project.name = only;
    return;
  }
  for (const module of project.children) {
    module.name = Object.keys(entries).find((name) => entries[name][1].replace(/(\/index)?\.ts$/, '') === module.name);
  }
}

/** Leaves out what a component has only for React. */
function leaveOutReact(project, component) {
  const [parent] = component.extendedTypes ?? [];
  if (parent?.name !== 'Component') return;
  parent.typeArguments.length = 1; // The second is the state.
  for (const member of component.children.filter(({ name }) => reacts.includes(name))) project.removeReflection(member);
}

/** Leaves out what a provider has only for OpenFeature. Apps create it, and then use OpenFeature's client. */
function leaveOutProvider(project, provider) {
  if (!provider.implementedTypes?.some(({ name }) => name === 'Provider')) return;
  for (const member of provider.children.filter(({ kind }) => kind !== ReflectionKind.Constructor)) project.removeReflection(member);
}

/** Appends the documented values of a union to its description. */
function listValues({ type, comment }) {
  if (!type?.elementSummaries) return;
  const list = type.types.flatMap(({ value }, i) => [{ kind: 'text', text: `\n- \`${value}\`: ` }, ...type.elementSummaries[i]]);
  comment.summary.push({ kind: 'text', text: '\n' }, ...list);
}

/** Gives the function of a CommonJS module the name that apps import it by. The namespace of its types is left out. */
function nameExport(project, exported) {
  if (exported.kindOf(ReflectionKind.Namespace)) {
    project.removeReflection(exported);
    return;
  }
  for (const each of [exported, ...exported.signatures ?? []]) each.name = 'withWaft';
}

/** Returns the full names of optional settings without a default. */
export function withoutDefault(project) {
  return project.getReflectionsByKind(ReflectionKind.Property)
    .filter(({ flags, parent }) => flags.isOptional && parent.kindOf(ReflectionKind.Interface) && !read.includes(parent.name))
    .filter(({ comment }) => comment?.getTag('@defaultValue') === undefined)
    .map((property) => property.getFullName());
}
