//! The errors of the auth API whose code and message are always the same, in one table: name, kind,
//! code, message.

use std::borrow::Cow;

use super::error::{AuthError, Kind};

macro_rules! errors {
    ($($name:ident: $kind:ident $code:literal $message:literal;)*) => {
        impl AuthError {
            $(
                #[doc = concat!("`", $code, "`: ", $message)]
                pub const $name: Self = Self {
                    kind: Kind::$kind,
                    code: $code,
                    message: Cow::Borrowed($message),
                    reasons: Vec::new(),
                };
            )*
        }
    };
}

errors! {
    ANONYMOUS_PROVIDER_DISABLED: Unprocessable "anonymous_provider_disabled"
        "Anonymous sign-ins are disabled";
    BAD_CODE_VERIFIER: Invalid "bad_code_verifier"
        "code challenge does not match previously saved code verifier";
    BAD_JSON: Invalid "bad_json" "Send the body as application/json";
    BAD_JWT: Forbidden "bad_jwt" "invalid token: unable to verify it, or it has expired";
    BAD_OAUTH_CALLBACK: Forbidden "bad_oauth_callback" "The identity provider did not sign you in";
    BAD_OAUTH_STATE: Invalid "bad_oauth_state"
        "This sign-in was started in another browser, or too long ago. Please try again.";
    BAD_ORIGIN: Forbidden "bad_origin" "This request comes from another site";
    BUSY: Busy "unexpected_failure" "We are busy for a moment. Please try again.";
    CHALLENGE_NOT_FOUND: Unprocessable "mfa_factor_not_found"
        "MFA factor with the provided challenge ID not found";
    CODE_EXPIRED: Forbidden "otp_expired" "Token has expired or is invalid";
    CONFLICT: Unprocessable "conflict"
        "The password was changed at the same time by another request";
    CURRENT_PASSWORD_MISMATCH: Unprocessable "current_password_mismatch"
        "The current password is wrong";
    EMAIL_EXISTS: Unprocessable "email_exists"
        "A user with this email address has already been registered";
    EMAIL_NOT_CONFIRMED: Invalid "email_not_confirmed" "Email not confirmed";
    EMAIL_TO_VERIFY: Unprocessable "email_not_confirmed" "Please verify your email first.";
    FACTOR_NOT_FOUND: Missing "mfa_factor_not_found" "Factor not found";
    FACTOR_REQUIRED: Unauthenticated "insufficient_aal"
        "A second factor is required of everyone with a role: enrol one first";
    FLOW_STATE_EXPIRED: Unprocessable "flow_state_expired"
        "invalid flow state, flow state has expired";
    FLOW_STATE_NOT_FOUND: Missing "flow_state_not_found"
        "invalid flow state, no valid flow state found";
    IDENTITY_ALREADY_EXISTS: Unprocessable "identity_already_exists"
        "Identity is already linked to another user";
    IDENTITY_NOT_FOUND: Unprocessable "identity_not_found" "Identity doesn't exist";
    INSUFFICIENT_AAL: Unauthenticated "insufficient_aal"
        "AAL2 session is required to perform this action";
    INTERNAL: Invalid "unexpected_failure"
        "Unexpected failure, please check server logs for more information";
    INVALID_CREDENTIALS: Invalid "invalid_credentials" "Invalid login credentials";
    LAST_ADMIN: Unprocessable "last_admin" "This is the last admin: make another one first";
    LINK_EXPIRED: Forbidden "otp_expired" "Email link is invalid or has expired";
    METHOD_NOT_ALLOWED: Invalid "method_not_allowed" "This address does not take this method";
    MFA_CHALLENGE_EXPIRED: Unprocessable "mfa_challenge_expired"
        "MFA challenge has expired, verify against another challenge or create a new challenge.";
    MFA_IP_ADDRESS_MISMATCH: Unprocessable "mfa_ip_address_mismatch"
        "Challenge and verify IP addresses mismatch";
    MFA_PHONE_ENROLL_NOT_ENABLED: Unprocessable "mfa_phone_enroll_not_enabled"
        "MFA enroll is disabled for Phone";
    MFA_WEBAUTHN_ENROLL_NOT_ENABLED: Unprocessable "mfa_webauthn_enroll_not_enabled"
        "MFA enroll is disabled for WebAuthn";
    NOT_ADMIN: Forbidden "not_admin" "User not allowed";
    NOT_FOUND: Missing "not_found" "There is nothing at this address";
    NO_AUTHORIZATION: Unauthenticated "no_authorization"
        "This endpoint requires a valid Bearer token";
    NO_SUCH_SESSION: Missing "session_not_found" "Session not found";
    OWN_ACCOUNT: Unprocessable "validation_failed" "An admin cannot delete or ban itself";
    PASSWORD_NEEDS_REAUTHENTICATION: Invalid "reauthentication_needed"
        "Password update requires reauthentication";
    PHONE_EXISTS: Unprocessable "phone_exists"
        "A user with this phone number has already been registered";
    PHONE_PROVIDER_DISABLED: Invalid "phone_provider_disabled" "Phone sign-in is not offered";
    REAUTHENTICATION_NEEDED: Forbidden "reauthentication_needed"
        "Enter your password or a code again to do this";
    REAUTHENTICATION_NOT_VALID: Unprocessable "reauthentication_not_valid"
        "Nonce has expired or is invalid";
    REFRESH_TOKEN_ALREADY_USED: Invalid "refresh_token_already_used"
        "Invalid Refresh Token: Already Used";
    REFRESH_TOKEN_NOT_FOUND: Invalid "refresh_token_not_found"
        "Invalid Refresh Token: Refresh Token Not Found";
    REQUEST_ENTITY_TOO_LARGE: Invalid "request_entity_too_large" "The body is longer than 1 MiB";
    REQUEST_TIMEOUT: Invalid "request_timeout" "The body did not arrive in time";
    SAME_PASSWORD: Unprocessable "same_password"
        "New password should be different from the old password.";
    SESSION_EXPIRED: Invalid "session_expired" "Invalid Refresh Token: Session Expired";
    SESSION_NOT_FOUND: Forbidden "session_not_found"
        "Session from session_id claim in JWT does not exist";
    SIGNUP_DISABLED: Unprocessable "signup_disabled" "Signups not allowed for this instance";
    SINGLE_IDENTITY_NOT_DELETABLE: Unprocessable "single_identity_not_deletable"
        "User must have at least 1 identity after unlinking";
    SSO_PROVIDER_NOT_FOUND: Missing "sso_provider_not_found"
        "No SSO provider assigned for this domain";
    TOKEN_WITHOUT_USER: Forbidden "user_not_found" "User from sub claim in JWT does not exist";
    TOO_MANY_AT_ONCE: Busy "over_request_rate_limit"
        "Too many requests from your network are being sent at once";
    TOO_MANY_ENROLLED_MFA_FACTORS: Unprocessable "too_many_enrolled_mfa_factors"
        "Maximum number of verified factors reached, unenroll to continue";
    UNPARSABLE: Invalid "bad_json"
        "Could not parse the request: a JSON object with fields of the described types is needed";
    UNREADABLE_BODY: Invalid "bad_json" "The body cannot be read";
    UNSUPPORTED_GRANT_TYPE: Invalid "unsupported_grant_type" "grant_type is not supported";
    USER_ALREADY_EXISTS: Unprocessable "user_already_exists" "User already registered";
    USER_BANNED: Invalid "user_banned" "User is banned";
    USER_NOT_FOUND: Missing "user_not_found" "User not found";
    WEB3_PROVIDER_DISABLED: Unprocessable "web3_provider_disabled" "Web3 provider is disabled";
    WEB3_UNSUPPORTED_CHAIN: Invalid "web3_unsupported_chain" "Unsupported chain";
    WRONG_FACTOR_CODE: Unprocessable "mfa_verification_failed" "Invalid TOTP code entered";
    WRONG_PASSWORD: Unprocessable "current_password_mismatch" "The password is wrong";
    WRONG_RECOVERY_CODE: Unprocessable "mfa_verification_failed" "Invalid recovery code entered";
}
