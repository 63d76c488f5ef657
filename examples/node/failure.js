// What a call that failed says: the suite's reason, and what a client can do about it.
import grpc from '@grpc/grpc-js';
import protobuf from 'protobufjs'; // what proto-loader itself is made of

// google.rpc.Status and its details, as far as they are used: published once and for ever.
const { root } = protobuf.parse(`
  syntax = "proto3";
  package google.rpc;
  message Any { string type_url = 1; bytes value = 2; }
  message Status { int32 code = 1; string message = 2; repeated Any details = 3; }
  message ErrorInfo { string reason = 1; string domain = 2; map<string, string> metadata = 3; }
  message LocalizedMessage { string locale = 1; string message = 2; }
  message BadRequest {
    message FieldViolation { string field = 1; string description = 2; }
    repeated FieldViolation field_violations = 1;
  }
  message Duration { int64 seconds = 1; int32 nanos = 2; }
  message RetryInfo { Duration retry_delay = 1; }
`, { keepCase: true });

// snippet: failure
// A failed call. `reason` is what programs compare; empty where no service answered, but the
// connection or this client's own deadline ended the call. `words` is for players.
export class Failure extends Error {
  constructor(code, message, { reason = '', metadata = {}, words = '', field = '' } = {}) {
    super(reason ? `${reason}: ${message}` : message);
    Object.assign(this, { code, reason, metadata, words, field });
  }

  // The object is elsewhere, or its process is gone, slow or busy: the same call may go well a moment
  // later, there or at another process.
  get passing() {
    if (this.reason === 'TABLE_MOVED') return true;
    if (this.reason === '') {
      return ![grpc.status.UNIMPLEMENTED, grpc.status.UNAUTHENTICATED].includes(this.code);
    }
    return [
      grpc.status.UNAVAILABLE,
      grpc.status.RESOURCE_EXHAUSTED,
      grpc.status.DEADLINE_EXCEEDED,
      grpc.status.ABORTED,
    ].includes(this.code);
  }

  // What it was for is over: somebody else was faster, or the clock was. Not a fault.
  get tooLate() {
    return ['DECISION_STALE', 'ROUND_NOT_IN_PROGRESS', 'NONCE_TOO_LATE'].includes(this.reason);
  }
}
// end

// The Failure that a gRPC error is.
export function failureOf(error) {
  if (error instanceof Failure) return error;
  const [bytes] = error.metadata?.get('grpc-status-details-bin') ?? [];
  const told = {};
  if (bytes) {
    for (const any of root.lookupType('google.rpc.Status').decode(bytes).details) {
      const name = any.type_url.split('/').pop();
      const type = root.nested.google.nested.rpc.get(name.split('.').pop());
      if (!(type instanceof protobuf.Type)) continue; // a detail of later versions
      const detail = type.decode(any.value);
      if (name.endsWith('.ErrorInfo')) Object.assign(told, { reason: detail.reason, metadata: detail.metadata });
      if (name.endsWith('.LocalizedMessage')) told.words = detail.message;
      if (name.endsWith('.BadRequest')) told.field = detail.field_violations[0]?.field;
    }
  }
  // Who calls is looked at before anything else, where a refusal has no details: its message begins with
  // the reason.
  const [, reason] = /^([A-Z][A-Z_]+): /.exec(error.details ?? '') ?? [];
  if (!told.reason && [grpc.status.UNAUTHENTICATED, grpc.status.PERMISSION_DENIED].includes(error.code)) {
    told.reason = reason;
  }
  return new Failure(error.code ?? grpc.status.UNKNOWN, error.details ?? error.message, told);
}
