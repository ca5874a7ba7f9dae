const READS_JSON = Symbol('nestjs-emails reads JSON');

/** How the body of a route is read. */
export interface BodyRule {
  /** An absent body needs no content type either. Default: false. */
  isOptional?: boolean;
  /** It may be an array as well as an object. Default: false. */
  mayBeArray?: boolean;
  /** @internal It may be an array of emails, see `JsonReader`. Default: false. */
  isBatch?: boolean;
}

/** Declares that a method's JSON body is read before the call. */
export function noteBodyRule(method: object, rule: BodyRule): void {
  Reflect.defineMetadata(READS_JSON, rule, method);
}

/** The rule of a method; undefined if no body is read. */
export function bodyRuleOf(method: object): BodyRule | undefined {
  return Reflect.getMetadata(READS_JSON, method);
}
