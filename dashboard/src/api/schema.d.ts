// Written by `make generate` from client/openapi.json.

export interface paths {
    "/v1/auth/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a linked identity */
        delete: operations["deleteIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/invitations/accept": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Accept an invitation */
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a password */
        post: operations["logIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/methods": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List sign-in methods */
        get: operations["getLoginMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/methods/own": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sign-in methods */
        get: operations["getOwnLoginMethods"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sign in with an identity provider */
        get: operations["beginOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Return from an identity provider */
        get: operations["finishOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/oidc/{provider}/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to link an identity */
        post: operations["linkIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your passkeys */
        get: operations["listPasskeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a passkey */
        delete: operations["deletePasskey"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["patchPasskey"];
        trace?: never;
    };
    "/v1/auth/passkeys/login/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to sign in with a passkey */
        post: operations["beginPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/login/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["finishPasskeyLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/register/begin": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin to add a passkey */
        post: operations["beginPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/passkeys/register/finish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a passkey */
        post: operations["finishPasskeyRegistration"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Change your password */
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/forgot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Request a link to set a new password */
        post: operations["forgotPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/password/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Set a new password with a mailed link */
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List your sessions */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End a session */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/setup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create the first account */
        post: operations["setUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/terminal-logins": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Begin a sign-in that a person confirms in the browser */
        post: operations["beginTerminalLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/terminal-logins/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the terminal that waits with a code */
        get: operations["getTerminalLogin"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/terminal-logins/{code}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Confirm the sign-in of a terminal */
        post: operations["confirmTerminalLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/terminal-logins/{code}/refuse": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Refuse the sign-in of a terminal */
        post: operations["refuseTerminalLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/terminal-session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Get the session of a confirmed sign-in */
        post: operations["pollTerminalLogin"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/auth/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Exchange an ID token of a CI job for a key */
        post: operations["exchangeToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show your account or key */
        get: operations["getMe"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change your name */
        patch: operations["patchMe"];
        trace?: never;
    };
    "/v1/ota/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List API keys */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/api-keys/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Revoke the API keys that a user created */
        post: operations["revokeApiKeys"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List approvals */
        get: operations["listApprovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an approval */
        get: operations["getApproval"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Approve a call */
        post: operations["approve"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reject a call */
        post: operations["rejectApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/approvals/{id}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraw your approval */
        post: operations["withdrawApproval"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/assets/{md5}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Download a file of a build */
        get: operations["getAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        /** Get the headers of a file of a build */
        head: operations["headAsset"];
        patch?: never;
        trace?: never;
    };
    "/v1/ota/attention": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show what needs attention */
        get: operations["getAttention"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List changes */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/audit-log/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Export changes */
        get: operations["exportAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List branches */
        get: operations["listBranches"];
        put?: never;
        /** Create a branch */
        post: operations["createBranch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/branches/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a branch */
        delete: operations["deleteBranch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List builds */
        get: operations["listBuilds"];
        put?: never;
        /** Upload a build */
        post: operations["uploadBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a build */
        get: operations["getBuild"];
        put?: never;
        post?: never;
        /** Delete a build */
        delete: operations["deleteBuild"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Publish a build to a channel */
        post: operations["publishBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}/publish/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview publishing a build */
        post: operations["previewPublishBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/{id}/sourcemap": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Add a source map to a build */
        put: operations["putSourceMap"];
        post?: never;
        /** Delete the source map of a build */
        delete: operations["deleteSourceMap"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/check": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Find out which files an upload must send */
        post: operations["checkFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/builds/files/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Send a file before the build that has it */
        put: operations["putFile"];
        post?: never;
        delete?: never;
        options?: never;
        /** Find out how much of a file has arrived */
        head: operations["headFile"];
        patch?: never;
        trace?: never;
    };
    "/v1/ota/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List channels */
        get: operations["listChannels"];
        put?: never;
        /** Create a channel */
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/channels/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a channel */
        get: operations["getChannel"];
        put?: never;
        post?: never;
        /** Delete a channel */
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        /** Change a channel */
        patch: operations["patchChannel"];
        trace?: never;
    };
    "/v1/ota/channels/{name}/delete/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the deletion of a channel */
        post: operations["previewDeleteChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/channels/{name}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a change of a channel */
        post: operations["previewChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/code-signing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the code signing key */
        get: operations["getCodeSigning"];
        /** Set the code signing key */
        put: operations["putCodeSigning"];
        post?: never;
        /** Delete the code signing key */
        delete: operations["deleteCodeSigning"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List contexts */
        get: operations["listContexts"];
        put?: never;
        /** Create or update a context */
        post: operations["createContext"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a context */
        get: operations["getContext"];
        put?: never;
        post?: never;
        /** Delete a context */
        delete: operations["deleteContext"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts/attributes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the attributes of contexts */
        get: operations["listContextAttributes"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/contexts/kinds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the kinds of contexts */
        get: operations["listContextKinds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List devices */
        get: operations["listDevices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices/{deviceId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a device */
        get: operations["getDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/devices/{deviceId}/data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a device's data */
        delete: operations["eraseDeviceData"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the emergency stop */
        get: operations["getEmergencyStop"];
        put?: never;
        /** Stop the project */
        post: operations["stopProject"];
        /** Resume the project */
        delete: operations["resumeProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview an emergency stop */
        post: operations["previewStopProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/emergency-stop/resume/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the end of an emergency stop */
        post: operations["previewResumeProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-definitions/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the feature flags of a channel */
        get: operations["getFlagDefinitions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report evaluations of flags */
        post: operations["reportFlagEvaluations"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-evaluations-bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Evaluate all feature flags for a device */
        post: operations["evaluateFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flag-stream/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow the feature flags of a device */
        get: operations["streamFlags"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List feature flags */
        get: operations["listFlags"];
        put?: never;
        /** Create a feature flag */
        post: operations["createFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a feature flag */
        get: operations["getFlag"];
        /** Save a whole feature flag */
        put: operations["saveFlag"];
        post?: never;
        /** Delete a feature flag */
        delete: operations["deleteFlag"];
        options?: never;
        head?: never;
        /** Change a feature flag */
        patch: operations["patchFlag"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/copy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Copy a feature flag's settings to another channel */
        post: operations["copyFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/copy/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview copying a feature flag's settings to another channel */
        post: operations["previewCopyFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/delete/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the deletion of a feature flag */
        post: operations["previewDeleteFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/env/{channelName}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a feature flag on one channel */
        patch: operations["patchFlagEnvironment"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/env/{channelName}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a change of a feature flag on one channel */
        post: operations["previewPatchFlagEnvironment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/evaluations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the evaluations of a flag */
        get: operations["getFlagEvaluations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain the value of a feature flag */
        post: operations["explainFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the health of a flag */
        get: operations["getFlagHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview saving a whole feature flag */
        post: operations["previewSaveFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Add a rule to a feature flag */
        post: operations["createFlagRule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules/{ruleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a rule of a feature flag */
        delete: operations["deleteFlagRule"];
        options?: never;
        head?: never;
        /** Change a rule of a feature flag */
        patch: operations["patchFlagRule"];
        trace?: never;
    };
    "/v1/ota/flags/{id}/rules/order": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /** Order the rules of a feature flag */
        put: operations["orderFlagRules"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/schedule": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the scheduled changes of a feature flag */
        get: operations["listFlagSchedules"];
        put?: never;
        /** Schedule a change of a feature flag */
        post: operations["scheduleFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/schedule/{scheduleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Cancel a scheduled change of a feature flag */
        delete: operations["cancelFlagSchedule"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/{id}/variations/{variationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change a variation of a feature flag */
        patch: operations["patchVariation"];
        trace?: never;
    };
    "/v1/ota/flags/explain": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Explain the values of all feature flags */
        post: operations["explainFlags"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/flags/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview creating a feature flag */
        post: operations["previewCreateFlag"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/gc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Preview a cleanup */
        get: operations["previewGarbage"];
        put?: never;
        /** Run a cleanup */
        post: operations["collectGarbage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/health-metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report a device's health */
        post: operations["reportHealth"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/insights/adoption": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show adoption */
        get: operations["getAdoption"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/insights/releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the devices and the health of some releases */
        get: operations["listReleaseFigures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List invitations */
        get: operations["listInvitations"];
        put?: never;
        /** Invite a person */
        post: operations["createInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/invitations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an invitation */
        delete: operations["revokeInvitation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/manifest/{projectSlug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the update for a device */
        get: operations["getManifest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List members */
        get: operations["listMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Remove a member */
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        /** Change a member's role */
        patch: operations["patchMember"];
        trace?: never;
    };
    "/v1/ota/observe/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List errors, crashes and custom events */
        get: operations["listObservedEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/events/{eventId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an event */
        get: operations["getObservedEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List error groups */
        get: operations["listErrorGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/observe/groups/{fingerprint}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an error group */
        get: operations["getErrorGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Assign, resolve or reopen an error group */
        patch: operations["patchErrorGroup"];
        trace?: never;
    };
    "/v1/ota/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show an overview of releases and devices */
        get: operations["getOverview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List projects */
        get: operations["listProjects"];
        put?: never;
        /** Create a project */
        post: operations["createProject"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/projects/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a project */
        delete: operations["deleteProject"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Explain what a device is served */
        get: operations["resolve"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back a channel */
        post: operations["rollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollback/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a rollback of a channel */
        post: operations["previewRollBack"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rollouts */
        get: operations["listRolloutExecutions"];
        put?: never;
        /** Start a rollout */
        post: operations["startRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a rollout */
        get: operations["getRolloutExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/advance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Advance a rollout */
        post: operations["advanceRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/advance/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview advancing a rollout */
        post: operations["previewAdvanceRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancel a rollout */
        post: operations["cancelRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/cancel/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview cancelling a rollout */
        post: operations["previewCancelRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/looks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the curve of a rollout */
        get: operations["listRolloutLooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pause a rollout */
        post: operations["pauseRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/pause/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview pausing a rollout */
        post: operations["previewPauseRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Resume a rollout */
        post: operations["resumeRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/resume/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview resuming a rollout */
        post: operations["previewResumeRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/rollback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Roll back a rollout */
        post: operations["rollbackRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/rollback/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview rolling back a rollout */
        post: operations["previewRollbackRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/{id}/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a rollout */
        get: operations["streamRolloutExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-executions/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the start of a rollout */
        post: operations["previewStartRolloutExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-policies": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List rollout policies */
        get: operations["listRolloutPolicies"];
        put?: never;
        /** Create a rollout policy */
        post: operations["createRolloutPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/rollout-policies/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a rollout policy */
        get: operations["getRolloutPolicy"];
        put?: never;
        post?: never;
        /** Delete a rollout policy */
        delete: operations["deleteRolloutPolicy"];
        options?: never;
        head?: never;
        /** Change a rollout policy */
        patch: operations["patchRolloutPolicy"];
        trace?: never;
    };
    "/v1/ota/rollout-policies/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Forecast a rollout policy */
        post: operations["previewRolloutPolicy"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/segments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List segments */
        get: operations["listSegments"];
        put?: never;
        /** Create a segment */
        post: operations["createSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/segments/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a segment */
        get: operations["getSegment"];
        put?: never;
        post?: never;
        /** Delete a segment */
        delete: operations["deleteSegment"];
        options?: never;
        head?: never;
        /** Change a segment */
        patch: operations["patchSegment"];
        trace?: never;
    };
    "/v1/ota/segments/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a change of a segment */
        post: operations["previewSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/segments/estimate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Estimate a segment */
        post: operations["estimateSegment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get the project's settings */
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Change the project's settings */
        patch: operations["patchSettings"];
        trace?: never;
    };
    "/v1/ota/stream": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Follow a project */
        get: operations["streamProject"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List events of devices */
        get: operations["listTelemetryEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/flag-impacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the impact of flags */
        get: operations["listFlagImpacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/incidents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List incidents */
        get: operations["listIncidents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/incidents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get an incident */
        get: operations["getIncident"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /** Acknowledge or close an incident */
        patch: operations["patchIncident"];
        trace?: never;
    };
    "/v1/ota/telemetry/refused": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List refused requests */
        get: operations["listRefused"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/telemetry/timeseries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show devices, errors and crashes over time */
        get: operations["getTimeseries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/trusted-publishers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List trusted publishers */
        get: operations["listTrustedPublishers"];
        /** Replace the trusted publishers */
        put: operations["putTrustedPublishers"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List releases */
        get: operations["listUpdates"];
        put?: never;
        /** Publish a build to a branch or a channel */
        post: operations["createUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a release */
        get: operations["getUpdate"];
        put?: never;
        post?: never;
        /** Delete a release */
        delete: operations["deleteUpdate"];
        options?: never;
        head?: never;
        /** Change a release */
        patch: operations["patchUpdate"];
        trace?: never;
    };
    "/v1/ota/updates/{id}/delete/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the deletion of a release */
        post: operations["previewDeleteUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the history of a release */
        get: operations["listUpdateHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/patches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the patches to a release */
        get: operations["listUpdatePatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a change of a release */
        post: operations["previewUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/republish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Republish a release */
        post: operations["republishUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/{id}/republish/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a republish */
        post: operations["previewRepublishUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/updates/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview publishing a build to a branch or a channel */
        post: operations["previewCreateUpdate"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List user overrides */
        get: operations["listUserOverrides"];
        put?: never;
        /** Create a user override */
        post: operations["createUserOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Delete a user override */
        delete: operations["deleteUserOverride"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides/{id}/delete/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview the deletion of a user override */
        post: operations["previewDeleteUserOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/user-overrides/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Preview a user override */
        post: operations["previewCreateUserOverride"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List webhooks */
        get: operations["listWebhooks"];
        put?: never;
        /** Create a webhook */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Get a webhook */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /** Delete a webhook */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Change a webhook */
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List a webhook's deliveries */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/deliveries/{deliveryId}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver a message */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/recover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Redeliver failed messages */
        post: operations["recoverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Rotate a webhook's secret */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Send a test message to a webhook */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ota/webhooks/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the events of webhooks */
        get: operations["listWebhookEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AcceptBody: {
            /** @description Name of a person without an account. */
            name?: string;
            /** @description New password of at least 12 characters, or the password of the existing account. */
            password?: string;
            /** @description Token: the part of the invitation's link after the #. */
            token: string;
        };
        Actor: {
            id: string;
            /** @description Name of the key, email address of the person, or part of Waft. */
            name: string;
            /** @enum {string} */
            type: "api_key" | "user" | "system";
        };
        AddPasskeyBody: {
            /** @description RegistrationResponseJSON of WebAuthn, as toJSON() of the new credential returns it. */
            credential: {
                [key: string]: unknown;
            };
            /** @description Name of the passkey, to distinguish it from others. */
            name: string;
        };
        Adoption: {
            /** @description Devices by day and release, oldest day first, without days and releases that have no devices. Each device counts once a day, under the release in its last report of the day. */
            adoption: components["schemas"]["UpdateDay"][];
            /** Format: int64 */
            days: number;
            /** @description Devices by the update that they last reported, most devices first. */
            distribution: components["schemas"]["UpdateDevices"][];
            /**
             * Format: int64
             * @description Sum of downloadsByDay.
             */
            downloads: number;
            /** @description Downloads on every day of the window, oldest first. */
            downloadsByDay: components["schemas"]["DownloadDay"][];
            /** @description Whether the counts are exact. If there are many devices, a sample of them is counted, and downloads count a device again on each day that it is served the release. */
            exact: boolean;
            /**
             * Format: int64
             * @description Number of releases in distribution.
             */
            releasesTracked: number;
            /**
             * Format: int64
             * @description Number of distinct devices that sent a report in the window.
             */
            totalActiveDevices: number;
        };
        APIKey: {
            /** @description Names of the only channels that the key may change; null for all. */
            channels: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the key stops working; null if it does not expire.
             */
            expiresAt: string | null;
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description Time of the last use, to the minute; null before the first use.
             */
            lastUsedAt: string | null;
            /**
             * Format: int64
             * @description ID of the user who created the key, directly or with another key; otherwise null.
             */
            madeBy: number | null;
            /** @description Name of the key, shown as its actor in the audit log. */
            name: string;
            /** @description First part of the key, which is not secret. */
            prefix: string;
            /**
             * Format: int64
             * @description ID of the trusted publisher that a short-lived key belongs to; otherwise null.
             */
            publisherId: number | null;
            /**
             * Format: date-time
             * @description Time at which the key was revoked; otherwise null.
             */
            revokedAt: string | null;
            /**
             * @description Permissions of the key in its project.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        Approval: {
            /** @description Operation that waits. */
            action: string;
            /** @description Approvals given so far, oldest first. */
            approvals: components["schemas"]["ApprovalGiven"][];
            /** @description Protected channels whose devices the call affects. */
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the status became final; null until then.
             */
            endedAt: string | null;
            /** @description Reason why the approval is stale or failed; otherwise null. */
            error: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Input of the call: the fields of its body and the names in its path. */
            input: {
                [key: string]: unknown;
            } | null;
            /** @description Reason that the requester gave for the change; empty if none was given. */
            reason: string;
            /** @description Changes that the call makes for devices: one list for each channel, platform and runtime version whose releases change. Empty for calls about flags and for rollout commands. Waft compares them again before it applies the call. */
            receives: components["schemas"]["OfferChange"][];
            /** @description Rejection by a member, or withdrawal by the requester; otherwise null. */
            rejection: components["schemas"]["ApprovalGiven"] | null;
            requestedBy: components["schemas"]["Party"];
            /** @description X-Request-Id of the call. */
            requestId: string;
            /**
             * Format: int64
             * @description Number of people who must approve.
             */
            requiredApprovals: number;
            /**
             * @description Status of the approval: approved while Waft applies the call, stale if the call no longer applied, failed if it could not be applied.
             * @enum {string}
             */
            status: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            /** @description Description of the call, with the facts needed to decide on it. */
            summary: string;
            /** @description ID of the waiting Temporal workflow. */
            workflowId: string;
            /** @description URL of the workflow in Temporal's web UI. Only getApproval returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null. */
            workflowUrl: string | null;
        };
        ApprovalGiven: {
            /** Format: date-time */
            at: string;
            by: components["schemas"]["Party"];
            comment: string;
        };
        ApprovalSummary: {
            /** @description Operation that waits. */
            action: string;
            /** @description Approvals given so far, oldest first. */
            approvals: components["schemas"]["ApprovalGiven"][];
            /** @description Protected channels whose devices the call affects. */
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the status became final; null until then.
             */
            endedAt: string | null;
            /** @description Reason why the approval is stale or failed; otherwise null. */
            error: string | null;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Reason that the requester gave for the change; empty if none was given. */
            reason: string;
            /** @description Rejection by a member, or withdrawal by the requester; otherwise null. */
            rejection: components["schemas"]["ApprovalGiven"] | null;
            requestedBy: components["schemas"]["Party"];
            /** @description X-Request-Id of the call. */
            requestId: string;
            /**
             * Format: int64
             * @description Number of people who must approve.
             */
            requiredApprovals: number;
            /**
             * @description Status of the approval: approved while Waft applies the call, stale if the call no longer applied, failed if it could not be applied.
             * @enum {string}
             */
            status: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            /** @description Description of the call, with the facts needed to decide on it. */
            summary: string;
            /** @description ID of the waiting Temporal workflow. */
            workflowId: string;
        };
        Attention: {
            /**
             * Format: int64
             * @description Number of pending approvals that the signed-in person may approve; 0 for viewers and API keys.
             */
            approvals: number;
            emergencyStop: components["schemas"]["EmergencyStop"];
            /**
             * Format: int64
             * @description Number of open incidents.
             */
            incidents: number;
            /** @description The project's restore from a backup; null if there was none in seven days. */
            restore: components["schemas"]["Restore"] | null;
            setup: components["schemas"]["ProjectSetup"];
        };
        AuditEntry: {
            /** @description Action, written as noun.verb. */
            action: string;
            /** @description ID of the key, root, or the name of the component. */
            actorId: string;
            actorName: string;
            /** @enum {string} */
            actorType: "api_key" | "user" | "system";
            /** @description ID of the change. All entries of one change have the same: a rollback, for example, writes several. */
            changeId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Details of the change. Only admins see the address and userAgent of a sign-in. */
            details: {
                [key: string]: unknown;
            };
            /** @description ID of the record that was changed. */
            entityId: string;
            /** @description Kind of record that was changed. */
            entityType: string;
            /**
             * Format: int64
             * @description ID of the entry, which is the cursor for paging.
             */
            id: number;
            /** @description X-Request-Id of the call; empty for changes that Waft made on its own. */
            requestId: string;
            /** @description Record that the entry is about, as it is now: of a rule, its flag. */
            subject: components["schemas"]["AuditSubject"];
        };
        AuditSubject: {
            /** @description Whether the record still exists. False for records without a list of their own, such as a session. */
            exists: boolean;
            id: string;
            /** @description Kind of record. The entity types update, rollout_execution, code_signing have the kinds release, rollout, signing_key; parts of a flag have the kind flag. */
            kind: string;
            /** @description Name of the record now, or when it was changed if it does not exist any more. Empty if it does not have a name. */
            name: string;
            /** @description Platform of a release, rollout, build or incident. */
            platform?: string;
            /** @description Runtime version of a release, rollout, build or incident. */
            runtimeVersion?: string;
        };
        BeginTerminalBody: {
            /** @description Name of the machine, such as its host name. The person sees it. */
            name: string;
        };
        BegunTerminalLogin: {
            /** @description Code that the terminal shows and the person compares. */
            code: string;
            /**
             * Format: date-time
             * @description Time at which the sign-in ends.
             */
            expiresAt: string;
            /**
             * Format: int64
             * @description Time to wait between two polls, in seconds.
             */
            intervalSeconds: number;
            /** @description Secret with which the terminal polls, shown only once. */
            secret: string;
            /** @description Page where the person confirms the sign-in. */
            url: string;
        };
        Branch: {
            /** @description Names of the channels that point to the branch or roll it out. */
            channels: string[];
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description Newest release for each platform and runtime version. */
            latestUpdates: components["schemas"]["Update"][];
            name: string;
        };
        Breadcrumb: {
            /** @description Kind of the breadcrumb, such as navigation or ui.tap; empty if the device did not send it. */
            category: string;
            data: {
                [key: string]: string;
            };
            /** @enum {string} */
            level: "debug" | "info" | "warning" | "error";
            message: string;
            /**
             * Format: date-time
             * @description Time by the device's clock, which may be wrong; null if the device did not send it.
             */
            timestamp: string | null;
        };
        BrokenRelease: {
            /**
             * Format: date-time
             * @description Time at which the release was disabled; null for an enabled release.
             */
            disabledAt: string | null;
            /** @description Person, API key or part of Waft that disabled the release; null for an enabled release. */
            disabledBy: components["schemas"]["Actor"] | null;
            /** @description Reason for disabling the release; empty if none was given, and for an enabled release. */
            disabledReason: string;
            /** @description Health of the release on the devices of the target, with its limits. */
            health: components["schemas"]["ServedHealth"];
            /** @description Open incident of the release on the target; null for none. */
            incident: components["schemas"]["IncidentFigures"] | null;
            /** @description Whether devices of the target get the release now. */
            isServed: boolean;
            /**
             * Format: int64
             * @description ID of the newest rollout of the release; null for none.
             */
            rolloutExecutionId: number | null;
        };
        Build: {
            /** Format: int64 */
            assetCount: number;
            assets: components["schemas"]["BuildAsset"][];
            /**
             * Format: uuid
             * @description Same value as uuid.
             */
            buildUuid: string;
            /** @description App configuration from the upload, which devices get as extra.expoClient. */
            clientConfig: {
                [key: string]: unknown;
            } | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: uuid
             * @description ID of the update inside a binary, if the build is that update's bundle; null for a build to publish.
             */
            embeddedUpdateId: string | null;
            /** @description Author of the commit; empty if the upload does not name them. */
            gitAuthor: string;
            gitBranch: string;
            gitCommitHash: string;
            /** @description True if the build has more releases than the newest ten. */
            hasMoreReleases: boolean;
            /** Format: int64 */
            id: number;
            message: string;
            /**
             * Format: int64
             * @description Number of files that were not in the asset bucket before.
             */
            newAssetCount: number;
            /**
             * Format: int64
             * @description Number of bytes that were not in the asset bucket before.
             */
            newBytes: number;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Newest releases of the build, newest first, at most 10. */
            releases: components["schemas"]["BuildRelease"][];
            /** @description Runtime version; only devices with exactly this one get the build. */
            runtimeVersion: string;
            /** Format: int64 */
            sizeBytes: number;
            /**
             * Format: int64
             * @description Size of the launch asset's source map, which sizeBytes includes; 0 without a source map.
             */
            sourceMapBytes: number;
            /**
             * @description Status of the build: published after its first publish.
             * @enum {string}
             */
            status: "uploaded" | "published";
            /** @description Person or API key that uploaded the build, or null if the audit log does not have the upload. */
            uploadedBy: components["schemas"]["Actor"] | null;
            /** Format: uuid */
            uuid: string;
        };
        BuildAsset: {
            contentType: string;
            fileExtension: string;
            /** @description Whether the file is the bundle that the app starts. */
            isLaunchAsset: boolean;
            /** @description MD5 of the file in hex, which is its name at the assets endpoint. */
            key: string;
            /** @description Path inside the export. */
            path: string;
            /** @description SHA-256 of the file in base64url. */
            sha256: string;
            /** Format: int64 */
            sizeBytes: number;
        };
        BuildForm: {
            /** @description Files of the export; each filename is the path inside the export. */
            assets?: string[];
            /**
             * Format: binary
             * @description Bundle that the app starts.
             */
            bundle?: string;
            /** @description App configuration as a JSON object. The field may also be named expoConfig. */
            clientConfig?: string;
            /**
             * Format: uuid
             * @description ID of the update inside a binary, if these files are that update. The build is then not published; devices that run it get patches.
             */
            embeddedUpdateId?: string;
            /** @description JSON list of files that are already stored: [{path, sha256, isLaunchAsset?}]. */
            files?: string;
            gitAuthor?: string;
            gitBranch?: string;
            gitCommitHash?: string;
            message?: string;
            /**
             * Format: binary
             * @description Expo's metadata.json.
             */
            metadata?: string;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Runtime version; only devices with exactly this one get the build. The field may also be named runtimeFingerprint. */
            runtimeVersion: string;
            /**
             * Format: binary
             * @description Source map of the bundle, which devices never receive. A file with the bundle's name plus .map is also used as its source map.
             */
            sourcemap?: string;
        };
        BuildRelease: {
            branchName: string;
            /** @description Channel that the build was published to; null if it was published to a branch directly. */
            channel: string | null;
            /** Format: date-time */
            createdAt: string;
            /** @description Whether devices get the release. */
            isEnabled: boolean;
            releaseMessage: string;
            /**
             * Format: int64
             * @description ID of the release.
             */
            updateId: number;
        };
        BulkEvaluation: {
            /** @description Attributes that rules compare with. update_id is the running update. */
            attributes?: {
                [key: string]: unknown;
            };
            /** @description Name of the device's channel. */
            channel?: string;
            /** @description Stable ID of the device. */
            deviceId: string;
            /** @enum {string} */
            platform?: "ios" | "android" | "web";
            /** @description Slug or UUID of the project. */
            projectSlug: string;
            runtimeVersion?: string;
            /** @description Key that decides shares and user lists; the deviceId if absent or empty. */
            targetingKey?: string;
        };
        CancelBody: {
            /** @description Reason, shown in the timeline and the audit log. */
            reason?: string;
            /** @description Whether the release is reverted; true by default. */
            revert?: boolean;
        };
        ChangedErrorGroup: {
            /**
             * Format: int64
             * @description User ID of the member who works on the group; null for nobody.
             */
            assigneeId: number | null;
            /** @description Name of the assignee, or the email address without a name; null for nobody. */
            assigneeName: string | null;
            fingerprint: string;
            /** @description Note about the group. */
            note: string;
            /**
             * Format: date-time
             * @description Time at which Waft saw the resolved group on a newer release; null unless it is regressed.
             */
            regressedAt: string | null;
            /**
             * Format: uuid
             * @description Update ID of that release; null unless the group is regressed.
             */
            regressedUpdateUuid: string | null;
            /**
             * Format: date-time
             * @description Time at which the group was resolved; null while it is open.
             */
            resolvedAt: string | null;
            /** @description Name of the person or key that resolved the group; null while it is open. */
            resolvedBy: string | null;
            /**
             * @description open: the group is not resolved. regressed: the group was resolved, and a newer release has it.
             * @enum {string}
             */
            status: "open" | "resolved" | "regressed";
        };
        ChangePasswordBody: {
            /** @description Current password; absent if the account does not have one. */
            current?: string;
            /** @description New password of at least 12 characters. */
            new: string;
        };
        ChangePreview: {
            /** @description Channels that would be paused or resumed, by name. */
            channels: components["schemas"]["PreviewedChannel"][];
            /**
             * Format: int64
             * @description Number of devices whose next manifest request would get another response than now, or whose linked flags would change. Counts only devices that reported in the last 24 hours: this hour and the 23 hours before it. For the deletion of a flag: number of devices that reported the flag in the last 7 days. Null while telemetry is unavailable, and for a user override, because Waft does not know the devices of a user.
             */
            devicesAffected: number | null;
            /** @description Rollouts whose state would change. */
            executions: components["schemas"]["PreviewedRollout"][];
            /** @description Linked flags whose value would change for devices of a release, and flags whose rules use a changed segment. */
            flags: components["schemas"]["PreviewedFlag"][];
            /** @description Release that a rollback of a channel returns to; null for the embedded update and for other calls. */
            goal: components["schemas"]["RollbackGoal"] | null;
            /** @description Approvals that the call would wait for. Each also has a sentence in warnings. */
            neededApprovals: components["schemas"]["NeededApproval"][];
            /** @description Releases that would be published, enabled or disabled, or whose rollout percentage would change. */
            releases: components["schemas"]["PreviewedRelease"][];
            /** @description Warnings to read before the call, as sentences. */
            warnings: string[];
        };
        Channel: {
            /** @description Name of the branch that devices get. */
            branchName: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description Whether updates are stopped for all devices of the channel. */
            isPaused: boolean;
            /** @description Whether the channel is protected: only admins, or others with approval, can change what its devices get. */
            isProtected: boolean;
            /** @description Minimum runtime version; devices below it must update in the app store. Null for no minimum. */
            minRuntimeVersion: string | null;
            name: string;
            /**
             * Format: int64
             * @description Number of people who must approve a change of what a protected channel's devices get, 0 to 5.
             */
            requiredApprovals: number;
            /** @description Name of the branch that a percentage of the devices gets instead; otherwise null. */
            rolloutBranchName: string | null;
            /**
             * Format: double
             * @description Percentage of devices that are served from the rollout branch, 0 to 100; null without a rollout branch.
             */
            rolloutPercentage: number | null;
            /** Format: date-time */
            updatedAt: string;
        };
        CheckedFile: {
            /** @description SHA-256 of the file in base64url without padding, or in hex. */
            sha256: string;
            /**
             * Format: int64
             * @description Size of the file in bytes.
             */
            sizeBytes: number;
        };
        CheckFilesBody: {
            /** @description Files of an export, at most as many as a build may have. */
            files: components["schemas"]["CheckedFile"][];
        };
        CodeSigning: {
            /**
             * @description Value of alg in the signatures.
             * @enum {string}
             */
            algorithm: "rsa-v1_5-sha256";
            /** @description Certificate, followed by its intermediates. */
            certificatePem: string;
            /** Format: date-time */
            createdAt: string;
            /** @description SHA-256 of the certificate in hex. */
            fingerprint: string;
            /** @description Value of keyid in the signatures. */
            keyId: string;
            /**
             * Format: date-time
             * @description Expiry time of the certificate.
             */
            notAfter: string;
            /** Format: date-time */
            notBefore: string;
            /** Format: date-time */
            updatedAt: string;
        };
        CommandReason: {
            /** @description Reason, shown in the timeline and the audit log. */
            reason?: string;
        };
        ConditionExplanation: {
            /** @description Value of the context's attribute; null if it is missing. */
            actual: unknown;
            attribute: string;
            holds: boolean;
            /** @description Part of the condition that was not evaluated, and the reason: a pattern above the limits, a string of more than 1,024 bytes for a pattern, or too many steps. */
            note?: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            values: (string | number | boolean)[];
        };
        Context: {
            /** @description JSON values by name. */
            attributes: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description Number of evaluations of flags for the context.
             */
            evaluationCount: number;
            /** Format: date-time */
            firstSeenAt: string;
            /** Format: int64 */
            id: number;
            /** @enum {string} */
            kind: "user" | "device" | "organization" | "service" | "environment";
            /** Format: date-time */
            lastSeenAt: string;
            name: string;
            /** @description Whether the context was created manually. Waft records other contexts when they evaluate flags; above the quota it deletes the least recently seen ones. */
            pinned: boolean;
            /** @description Key that is unique among the contexts of this kind. */
            targetingKey: string;
        };
        ContextAttribute: {
            /**
             * Format: int64
             * @description Number of contexts in the sample that have the attribute.
             */
            contexts: number;
            /** @description Name of the attribute in conditions. */
            name: string;
            /** @description Most frequent strings, numbers and booleans, the most frequent first. */
            values: (string | number | boolean)[];
        };
        CopyFlagBody: {
            /** @description Name of the channel whose settings are copied. */
            fromChannel: string;
            /** @description Name of the channel whose settings are replaced. */
            toChannel: string;
        };
        CreateAPIKeyBody: {
            /**
             * Format: date-time
             * @description Time at which the key stops working; without it, the key does not expire.
             */
            expiresAt?: string;
            /** @description Name of the key, shown as its actor in the audit log. */
            name: string;
            /**
             * @description Permissions of the key.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        CreateBranchBody: {
            /** @description Name: 1 to 128 letters, digits or . _ / -, beginning with a letter or digit. */
            name: string;
        };
        CreateChannelBody: {
            /** @description Name of the branch that devices get; by default the branch with the channel's name. */
            branchName?: string;
            /** @description Name: 1 to 128 letters, digits or . _ / -, beginning with a letter or digit. */
            name: string;
        };
        CreateContextBody: {
            /** @description JSON values by name: at most 100 values and 16 KiB in total. */
            attributes?: {
                [key: string]: unknown;
            };
            /**
             * @description Kind of subject that the context represents.
             * @enum {string}
             */
            kind: "user" | "device" | "organization" | "service" | "environment";
            /** @description Display name of the context. */
            name?: string;
            /** @description Key that is unique among the contexts of this kind. */
            targetingKey: string;
        };
        CreatedAPIKey: {
            /** @description Names of the only channels that the key may change; null for all. */
            channels: string[] | null;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the key stops working; null if it does not expire.
             */
            expiresAt: string | null;
            /** Format: int64 */
            id: number;
            /** @description The whole key, which is shown only once. */
            key: string;
            /**
             * Format: date-time
             * @description Time of the last use, to the minute; null before the first use.
             */
            lastUsedAt: string | null;
            /**
             * Format: int64
             * @description ID of the user who created the key, directly or with another key; otherwise null.
             */
            madeBy: number | null;
            /** @description Name of the key, shown as its actor in the audit log. */
            name: string;
            /** @description First part of the key, which is not secret. */
            prefix: string;
            /**
             * Format: int64
             * @description ID of the trusted publisher that a short-lived key belongs to; otherwise null.
             */
            publisherId: number | null;
            /**
             * Format: date-time
             * @description Time at which the key was revoked; otherwise null.
             */
            revokedAt: string | null;
            /**
             * @description Permissions of the key in its project.
             * @enum {string}
             */
            role: "client" | "viewer" | "editor" | "admin";
        };
        CreatedInvitation: {
            /** @description Whether Waft mails the link to the address. */
            byMail: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Email address of the invited person. */
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Name of the person or key that created the invitation. */
            invitedBy: string;
            /**
             * @description Role that the person gets.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description Time at which the mail server accepted the mail; null before.
             */
            sentAt: string | null;
            /** @description Link with which the person accepts the invitation, shown only once; absent if Waft mails it. */
            url?: string;
        };
        CreatedWebhook: {
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Reason why Waft disabled the webhook; otherwise empty. */
            disabledReason: string;
            /** @description Names of actions as in the audit log, or * for all. */
            events: string[];
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last success; null if none failed. After five days of failures, Waft disables the webhook.
             */
            failingSince: string | null;
            /**
             * @description Format of the messages.
             * @enum {string}
             */
            format: "standard" | "slack" | "teams";
            /** Format: int64 */
            id: number;
            /** @description Whether the webhook gets messages. */
            isActive: boolean;
            /** @description Newest delivery; null before the first delivery. */
            lastDelivery: components["schemas"]["WebhookDelivery"] | null;
            /**
             * Format: date-time
             * @description Time until which the secret from before the last rotation also signs; null if only one secret signs.
             */
            oldSecretUntil: string | null;
            /** @description Secret that signs messages, which is shown only once. */
            secret: string;
            /** @description End of the secret, to recognise it by. */
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description URL that messages are posted to. For callers who are not admins, … replaces its secrets. */
            url: string;
        };
        CreateFlagBody: {
            /** @description Default value: a value of the flag's type, or a string that contains it. For a json flag, a string always contains JSON. By default false for a boolean flag. */
            defaultValue?: unknown;
            description?: string;
            /** @description Whether rules are evaluated, true by default; false gives every context the default value. */
            enabled?: boolean;
            /**
             * @description Type of the flag's values; boolean by default.
             * @enum {string}
             */
            flagType?: "boolean" | "string" | "number" | "json";
            /** @description Key: 1 to 128 lower-case letters, digits or . _ -. Derived from the name by default. */
            key?: string;
            /** @description Display name; the key by default. */
            name?: string;
            /** @description Values that rules can give. */
            variations?: components["schemas"]["VariationBody"][];
        };
        CreateInvitationBody: {
            /** @description Email address of the invited person. An account with another address cannot accept the invitation. */
            email: string;
            /**
             * @description Role that the person gets.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
        };
        CreateOverrideBody: {
            /** @description Name of the branch that the user's devices get. */
            branchName: string;
            /** @description Reason for the override. */
            note?: string;
            /** @description User ID that the app sends as client-user-id. */
            userId: string;
        };
        CreatePolicyBody: {
            /** @description Name of the only channel whose releases the policy may roll out; any channel by default. */
            channel?: string;
            description?: string;
            /** @description Periods in which stages do not begin automatically. Waft still checks thresholds, and people can advance the rollout. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            /** @description Whether new rollouts may use the policy; true by default. */
            isActive?: boolean;
            /** @description Display name of the policy. */
            name: string;
            /** @description Stages in order. */
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description Earliest start of the first stage of a rollout; immediately by default.
             */
            startAt?: string;
            /** @description Thresholds in every stage; none by default. */
            thresholds?: components["schemas"]["Thresholds"];
            /** @description IANA name of the time zone of freezeWindows, such as Europe/Berlin; UTC by default. */
            timeZone?: string;
        };
        CreateProjectBody: {
            /** @description Display name of the project. */
            name: string;
            /** @description Name in URLs: lower-case letters, digits and hyphens. Derived from the display name by default. */
            slug?: string;
        };
        CreateRuleBody: {
            /** @description Name of the only channel that the rule is for; all channels by default. */
            channelName?: string;
            /**
             * Format: int64
             * @description Priority; the lowest comes first. By default, the rule comes after all others.
             */
            priority?: number;
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description Value of the variation, as a string. Required unless ruleConfig has rollout; a rule with both is refused, except for percentage rollouts, where it is optional. */
            variantValue?: string;
        };
        CreateSegmentBody: {
            conditions: components["schemas"]["SegmentCondition"][];
            description?: string;
            /** @description Key: 1 to 128 lower-case letters, digits or . _ -. Derived from the name by default. */
            key?: string;
            /**
             * @description Whether all conditions must hold, or at least one.
             * @enum {string}
             */
            matchType: "all" | "any";
            /** @description Display name of the segment. */
            name: string;
        };
        CreateUpdateBody: {
            /** @description Name of the branch to publish to directly. */
            branchName?: string;
            /**
             * Format: int64
             * @description ID of the build to publish.
             */
            buildId: number;
            /** @description Name of the channel whose branch to publish to. */
            channel?: string;
            /**
             * Format: uuid
             * @description The groupId of another platform's release, to publish both together.
             */
            groupId?: string;
            /** @description Whether devices apply the release immediately rather than at their next cold start. */
            isCritical?: boolean;
            /** @description Whether devices get the release; true by default. */
            isEnabled?: boolean;
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags?: components["schemas"]["FlagLink"][];
            /** @description Release notes. */
            releaseMessage?: string;
            /**
             * Format: double
             * @description Percentage of devices that get the release, 0 to 100; 100 by default.
             */
            rolloutPercentage?: number;
            /**
             * Format: int64
             * @description ID of the policy that rolls the release out.
             */
            rolloutPolicyId?: number;
        };
        CreateWebhookBody: {
            description?: string;
            /** @description Names of actions as in the audit log, such as build.published, or * for all. */
            events: string[];
            /**
             * @description Format of the messages; standard by default. slack is for incoming webhooks of Slack, teams for Workflows webhooks of Microsoft Teams.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description Whether the webhook gets messages; true by default. */
            isActive?: boolean;
            /** @description Secret that signs messages; generated by default. The prefix whsec_ is followed by standard base64; any other string is used as it is. */
            secret?: string;
            /** @description Absolute http or https URL that messages are posted to. */
            url: string;
        };
        DeliveryAttempt: {
            /** Format: date-time */
            at: string;
            /**
             * Format: int64
             * @description Milliseconds until the response, or until the attempt was abandoned.
             */
            durationMs: number;
            /** @description Reason why the attempt failed, unless the status shows it. */
            error: string;
            /** @description Beginning of the response body. */
            responseSnippet: string;
            /**
             * Format: int64
             * @description Status of the response; null without a response.
             */
            responseStatus: number | null;
        };
        DetectionForecast: {
            /**
             * Format: int64
             * @description Number of devices that must report until the rate is a breach; null if the thresholds permit the rate or there are too few devices.
             */
            devices: number | null;
            /**
             * Format: double
             * @description Minutes from the start of the first stage; null if the rate is never detected.
             */
            minutes: number | null;
            /**
             * Format: double
             * @description Percentage of devices that crash.
             */
            rate: number;
        };
        Device: {
            /** @description Channel in the device's last report. */
            channel: string;
            /**
             * Format: int64
             * @description Number of crashes that the device reported.
             */
            crashes: number;
            /** @description Device ID, or a hash of it if the project's settings require that. */
            deviceId: string;
            /**
             * Format: int64
             * @description Number of errors (js_error) that the device reported.
             */
            errors: number;
            /**
             * Format: date-time
             * @description Time of the device's first report; null before it.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Time of the device's last report; null before the first report.
             */
            lastSeenAt: string | null;
            /**
             * @description Platform in the device's last report.
             * @enum {string}
             */
            platform: "ios" | "android" | "web";
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            /** @description Runtime version in the device's last report. */
            runtimeVersion: string;
            /**
             * Format: uuid
             * @description Update ID in the device's last report; null for the embedded update.
             */
            updateUuid: string | null;
        };
        DeviceDetail: {
            /** @description Channel in the device's last report. */
            channel: string;
            /**
             * Format: int64
             * @description Number of crashes that the device reported.
             */
            crashes: number;
            /** @description Device ID, or a hash of it if the project's settings require that. */
            deviceId: string;
            /**
             * Format: int64
             * @description Number of errors (js_error) that the device reported.
             */
            errors: number;
            /** @description Last 20 events of the device within 30 days, newest first. */
            events: components["schemas"]["TelemetryEvent"][];
            /** @description Releases on which the device had an error or a crash, or that failed before their first render. */
            failed: components["schemas"]["FailedRelease"][];
            /**
             * Format: date-time
             * @description Time of the device's first report; null before it.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Time of the device's last report; null before the first report.
             */
            lastSeenAt: string | null;
            /**
             * @description Platform in the device's last report.
             * @enum {string}
             */
            platform: "ios" | "android" | "web";
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            /** @description Resolution that the device would get now, as GET /v1/ota/resolve returns it. Null if its channel does not exist, or if only the hash of its ID is known. */
            resolve: components["schemas"]["Resolution"] | null;
            /** @description Runtime version in the device's last report. */
            runtimeVersion: string;
            /** @description Releases that Waft served the device, most recent first. */
            served: components["schemas"]["ServedRelease"][];
            /**
             * Format: uuid
             * @description Update ID in the device's last report; null for the embedded update.
             */
            updateUuid: string | null;
        };
        DownloadDay: {
            /** Format: date */
            date: string;
            /**
             * Format: int64
             * @description Number of distinct devices that downloaded a release.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of downloads; each device counts once per release.
             */
            downloads: number;
        };
        EmergencyStop: {
            active: boolean;
            /** @description IDs of the channels that the stop paused. */
            channels: number[];
            /** @description IDs of the rollouts that the stop paused. */
            executions: number[];
            /** @description Reason of the stop; empty if the project is not stopped. */
            reason: string;
            /** Format: date-time */
            stoppedAt: string | null;
            /** @description Name of the key or person that stopped the project; empty if it is not stopped. */
            stoppedBy: string;
        };
        ErrorGroup: {
            /**
             * Format: int64
             * @description User ID of the member who works on the group; null for nobody.
             */
            assigneeId: number | null;
            /** @description Name of the assignee, or the email address without a name; null for nobody. */
            assigneeName: string | null;
            /** @description Function and file of the app's own code where the error occurs; empty if they are not known. */
            culprit: string;
            /**
             * Format: int64
             * @description Number of distinct devices with the error in the window. Exact while the project has up to 1.5 million errors in the window and the window starts at most 30 days ago; otherwise, numbers above 256 are estimated to about 1.1%.
             */
            devices: number;
            errorName: string;
            /**
             * Format: int64
             * @description Number of occurrences in the window.
             */
            events: number;
            /** @description Fingerprint of the group, unique in the project and the same in every release. */
            fingerprint: string;
            /** @description Oldest release with the error; null for the embedded update. */
            firstRelease: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: date-time
             * @description Time of the first occurrence of the group, even before the window.
             */
            firstSeenAt: string;
            /**
             * Format: uuid
             * @description Update ID of the oldest release with the error; null for the embedded update.
             */
            firstUpdateUuid: string | null;
            /** @description Newest release with the error; null for the embedded update. */
            lastRelease: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: date-time
             * @description Time of the last occurrence of the group, even after the window.
             */
            lastSeenAt: string;
            /**
             * Format: uuid
             * @description Update ID of the newest release with the error; null for the embedded update.
             */
            lastUpdateUuid: string | null;
            /** @description Message, with # for every number and ID. */
            message: string;
            /** @description Note about the group. */
            note: string;
            /**
             * Format: date-time
             * @description Time at which Waft saw the resolved group on a newer release; null unless it is regressed.
             */
            regressedAt: string | null;
            /**
             * Format: uuid
             * @description Update ID of that release; null unless the group is regressed.
             */
            regressedUpdateUuid: string | null;
            /**
             * Format: date-time
             * @description Time at which the group was resolved; null while it is open.
             */
            resolvedAt: string | null;
            /** @description Name of the person or key that resolved the group; null while it is open. */
            resolvedBy: string | null;
            /** @enum {string} */
            state: "new" | "regressed" | "ongoing";
            /**
             * @description open: the group is not resolved. regressed: the group was resolved, and a newer release has it.
             * @enum {string}
             */
            status: "open" | "resolved" | "regressed";
            /** @description Number of events in each of the 24 hours that end with the window, oldest first. */
            trend: number[];
            /** @enum {string} */
            type: "js_error" | "crash";
        };
        ErrorGroupDetail: {
            /**
             * Format: int64
             * @description User ID of the member who works on the group; null for nobody.
             */
            assigneeId: number | null;
            /** @description Name of the assignee, or the email address without a name; null for nobody. */
            assigneeName: string | null;
            byFlag: components["schemas"]["GroupFlag"][];
            byPlatform: components["schemas"]["GroupPlatform"][];
            /** @description Counts by release, most events first. */
            byUpdate: components["schemas"]["GroupUpdate"][];
            /** @description Function and file of the app's own code where the error occurs; empty if they are not known. */
            culprit: string;
            /**
             * Format: int64
             * @description Number of distinct devices with the error in the window. Exact while the project has up to 1.5 million errors in the window and the window starts at most 30 days ago; otherwise, numbers above 256 are estimated to about 1.1%.
             */
            devices: number;
            errorName: string;
            /**
             * Format: int64
             * @description Number of occurrences in the window.
             */
            events: number;
            /** @description Fingerprint of the group, unique in the project and the same in every release. */
            fingerprint: string;
            /** @description Oldest release with the error; null for the embedded update. */
            firstRelease: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: date-time
             * @description Time of the first occurrence of the group, even before the window.
             */
            firstSeenAt: string;
            /**
             * Format: uuid
             * @description Update ID of the oldest release with the error; null for the embedded update.
             */
            firstUpdateUuid: string | null;
            /** @description Stack of the newest sample. */
            frames: components["schemas"]["StackFrame"][];
            /** @description Newest release with the error; null for the embedded update. */
            lastRelease: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: date-time
             * @description Time of the last occurrence of the group, even after the window.
             */
            lastSeenAt: string;
            /**
             * Format: uuid
             * @description Update ID of the newest release with the error; null for the embedded update.
             */
            lastUpdateUuid: string | null;
            /** @description Message, with # for every number and ID. */
            message: string;
            /** @description Note about the group. */
            note: string;
            /**
             * Format: date-time
             * @description Time at which Waft saw the resolved group on a newer release; null unless it is regressed.
             */
            regressedAt: string | null;
            /**
             * Format: uuid
             * @description Update ID of that release; null unless the group is regressed.
             */
            regressedUpdateUuid: string | null;
            /**
             * Format: date-time
             * @description Time at which the group was resolved; null while it is open.
             */
            resolvedAt: string | null;
            /** @description Name of the person or key that resolved the group; null while it is open. */
            resolvedBy: string | null;
            /** @description Latest events of the group, newest first, at most 10. */
            samples: components["schemas"]["EventDetail"][];
            /** @enum {string} */
            state: "new" | "regressed" | "ongoing";
            /**
             * @description open: the group is not resolved. regressed: the group was resolved, and a newer release has it.
             * @enum {string}
             */
            status: "open" | "resolved" | "regressed";
            /** @description Number of events in each of the 24 hours that end with the window, oldest first. */
            trend: number[];
            /** @enum {string} */
            type: "js_error" | "crash";
        };
        EstimateSegmentBody: {
            conditions: components["schemas"]["SegmentCondition"][];
            /**
             * @description Whether all conditions must hold, or at least one.
             * @enum {string}
             */
            matchType: "all" | "any";
        };
        EvaluatedFlag: {
            /** @enum {string} */
            reason: "RELEASE_OVERRIDE" | "DISABLED" | "TARGETING_MATCH" | "SEGMENT_MATCH" | "SPLIT" | "DEFAULT" | "ERROR";
            /** @description Value of the flag's type. */
            value: unknown;
            /** @description Name of the variation with the value; absent if no variation has it. */
            variant?: string;
        };
        EvaluatedFlags: {
            /** @description Values by the flag's key. */
            flags: {
                [key: string]: components["schemas"]["EvaluatedFlag"];
            };
        };
        EvaluationCount: {
            /** @description Name of the channel; by default the channel of the report. */
            channel?: string | null;
            /** @description Attributes that the flag was evaluated with. They are recorded if there are at most 100 of them, with 16 KiB in total. */
            context?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: int64
             * @description Number of evaluations.
             */
            count: number;
            flagKey: string;
            /**
             * Format: date-time
             * @description Time of the last evaluation; now by default.
             */
            lastEvaluatedAt?: string | null;
            /** @description Targeting key of the context that the flag was evaluated for; by default the targetingKey in context. */
            targetingKey?: string | null;
            /** @description Value, or a string that contains it. Required, here or as variationValue. */
            value?: unknown;
            /** @description Same as value. */
            variationValue?: unknown;
        };
        EvaluationDay: {
            /** Format: int64 */
            count: number;
            /** Format: date */
            date: string;
            value: string;
        };
        EvaluationReport: {
            /** @default default */
            channel?: string | null;
            /** @description Context of all entries without a context of their own: targetingKey, kind, name and attributes. */
            context?: {
                [key: string]: unknown;
            } | null;
            evaluations: components["schemas"]["EvaluationCount"][];
            /** @description Slug or UUID of the project; by default the project of the key in the header Authorization. */
            projectSlug?: string | null;
        };
        EventDetail: {
            /** @description Events in the app before an error or crash, oldest first; empty for launches and custom events. */
            breadcrumbs: components["schemas"]["Breadcrumb"][];
            channel: string;
            componentStack: string;
            /**
             * Format: int64
             * @description Number of occurrences.
             */
            count: number;
            /** @description Device ID, or a hash of it if the project's settings require that. */
            deviceId: string;
            errorName: string;
            /** @description Error group of an error or crash; null for other events. */
            fingerprint: string | null;
            /** @description Flag variations that were active at the time. */
            flagStates: {
                [key: string]: string;
            };
            /** @description Calls in stackTrace, innermost first. */
            frames: components["schemas"]["StackFrame"][];
            /** @description ID of the event: the ID of its report and its position in the report. */
            id: string;
            isFatal: boolean;
            message: string;
            name: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: date-time
             * @description Time of receipt by the server's clock.
             */
            receivedAt: string;
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            runtimeVersion: string;
            stackTrace: string;
            tags: {
                [key: string]: string;
            };
            /** @enum {string} */
            type: "js_error" | "crash" | "custom" | "app_launch";
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
        };
        EventHealth: {
            /**
             * Format: int64
             * @description Number of devices that count for the threshold: all counted devices, or for the direction below the devices whose time to report the event is over.
             */
            devices: number;
            /** @enum {string} */
            direction: "above" | "below";
            name: string;
            /**
             * Format: double
             * @description Percentage of devices that reported the event.
             */
            rate: number;
            /**
             * Format: int64
             * @description Number of these devices that reported the event in time.
             */
            reportedDevices: number;
            /** @description Votes that are compared with the threshold, unless the policy's minNetworks is 1. */
            votes: components["schemas"]["EventVotes"];
        };
        EventLimit: {
            /**
             * @description Side of rate that is a breach. above: too many devices report the event within 24 hours of their first report on the release. below: too few devices report it within the minDurationMinutes of the first stage, at most 24 hours; a device counts once that time is over.
             * @enum {string}
             */
            direction: "above" | "below";
            /** @description Name of the custom event in health reports. */
            name: string;
            /**
             * Format: double
             * @description Percentage of devices that report the event; below 100 for the direction below.
             */
            rate: number;
        };
        EventLook: {
            /** Format: int64 */
            devices: number;
            /** @enum {string} */
            direction: "above" | "below";
            name: string;
            /**
             * Format: double
             * @description Percentage of devices that reported the event.
             */
            rate: number;
            /** Format: int64 */
            reportedDevices: number;
        };
        EventVotes: {
            /**
             * Format: int64
             * @description Number of allocations (IPv4 /16, IPv6 /32) that these networks belong to; 0 in older records.
             */
            allocations: number;
            /**
             * Format: int64
             * @description Number of networks with at least one device that counts.
             */
            networks: number;
            /**
             * Format: double
             * @description Sum of the votes on devices that reported the event, 0 to weight.
             */
            reported: number;
            /**
             * Format: int64
             * @description Total weight of the networks, as in the votes on crashes.
             */
            weight: number;
        };
        ExchangedToken: {
            /** @description Names of the only channels that the key may change; null for all. */
            channels: string[] | null;
            /**
             * Format: date-time
             * @description Time at which the key stops working.
             */
            expiresAt: string;
            /** @description API key, which is shown only once. */
            key: string;
            /**
             * @description Role of the key.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        ExchangeTokenBody: {
            /** @description ID token, a JWT of at most 16,384 bytes. */
            idToken: string;
            /** @description Slug of the project. */
            projectSlug: string;
        };
        ExplainBody: {
            /** @description Context with targetingKey, deviceId, channel, platform, runtimeVersion, updateUuid and any attributes, which may also be in an object named attributes. */
            context: {
                [key: string]: unknown;
            };
        };
        FailedRelease: {
            /** Format: date-time */
            crashAt: string | null;
            /**
             * Format: date-time
             * @description Time of the first js_error or crash; null without one.
             */
            errorAt: string | null;
            /**
             * Format: date-time
             * @description Time at which the device reported that the release failed before its first render; null without such a report.
             */
            failedAt: string | null;
            release: components["schemas"]["ReleaseName"] | null;
            /** Format: int64 */
            updateId: number | null;
            /** Format: uuid */
            updateUuid: string | null;
        };
        FieldProblem: {
            /** @description Path of the field. */
            field: string;
            /** @description Problem of the field. */
            message: string;
        };
        FileUpload: {
            /** @description Whether the whole file is stored, so that an upload may name it. */
            complete: boolean;
            /**
             * Format: int64
             * @description Number of bytes that have arrived; the next part begins at this offset.
             */
            receivedBytes: number;
            /** @description SHA-256 of the file in base64url without padding. */
            sha256: string;
            /**
             * Format: int64
             * @description Size of the whole file.
             */
            sizeBytes: number;
        };
        Flag: {
            /** @description IDs of running and paused rollouts of releases that link the flag. */
            activeRollouts: number[];
            /** Format: date-time */
            createdAt: string;
            /** @description Value of the flag's type that devices get while the flag is off or no rule matches. */
            defaultValue: unknown;
            description: string;
            /** @description Whether the flag is on for channels without a setting of their own. */
            enabled: boolean;
            /** @description Settings of the flag on each channel that has its own, and on the hundred oldest channels. */
            environments: components["schemas"]["FlagEnvironment"][];
            /** @enum {string} */
            flagType: "boolean" | "string" | "number" | "json";
            /** Format: int64 */
            id: number;
            /** @description Key that devices ask for. */
            key: string;
            name: string;
            /** @description The newest releases that link the flag, at most three. GET /v1/ota/updates with flagId lists all. */
            newestReleases: components["schemas"]["ReleaseName"][];
            /** @description Rules in the order of evaluation; the first match wins. */
            rules: components["schemas"]["FlagRule"][];
            /** Format: date-time */
            updatedAt: string;
            variations: components["schemas"]["Variation"][];
        };
        FlagEnvironment: {
            channelName: string;
            /** @description Default value on the channel, as a string. */
            defaultValue: string;
            enabled: boolean;
            /** @description Whether defaultValue comes from the flag and changes with it. */
            isDefaultInherited: boolean;
            /** @description Whether enabled comes from the flag and changes with it. */
            isEnabledInherited: boolean;
        };
        FlagEvaluations: {
            /** @description Counts per day and value, oldest day first, without days and values that have no evaluations. */
            daily: components["schemas"]["EvaluationDay"][];
            flagKey: string;
            /**
             * Format: date-time
             * @description Time of the last evaluation, even before the window; null if the flag was never evaluated.
             */
            lastEvaluatedAt: string | null;
            /** Format: int64 */
            total: number;
            /** @description Values of the flag's variations in their order, then other values. */
            variations: components["schemas"]["VariationEvaluations"][];
        };
        FlagExplanation: {
            /** @description Explanation if the reason is ERROR. */
            detail?: string;
            /** @description Whether the flag is on for the channel. */
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** @enum {string} */
            flagType: "boolean" | "string" | "number" | "json";
            /** @enum {string} */
            reason: "RELEASE_OVERRIDE" | "DISABLED" | "TARGETING_MATCH" | "SEGMENT_MATCH" | "SPLIT" | "DEFAULT" | "ERROR";
            /** @description Rules for the channel in the order of evaluation, including the rules after the deciding one. */
            rules: components["schemas"]["RuleExplanation"][];
            /** @description Value of the flag's type. */
            value: unknown;
            /** @description Name of the variation with the value; absent if no variation has it. */
            variant?: string;
        };
        FlagHealth: {
            /**
             * Format: int64
             * @description Number of devices with an error or crash under the flag.
             */
            affectedDevices: number;
            /**
             * Format: double
             * @description Percentage of devices without a crash; null without devices.
             */
            crashFreePercentage: number | null;
            /**
             * Format: double
             * @description Percentage of the flag's devices with an error or crash.
             */
            errorRate: number;
            /**
             * Format: double
             * @description Greatest errorRateDelta of the variations.
             */
            errorRateDelta: number;
            flagKey: string;
            /**
             * @description Worst status among the variations and all devices together.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "incident";
            /** @description Variations, ordered by number of devices, most first. */
            variations: components["schemas"]["VariationHealth"][];
        };
        FlagImpact: {
            channel: string;
            /**
             * Format: int64
             * @description Number of devices with a crash under the variation.
             */
            crashedDevices: number;
            /** Format: double */
            crashFreePercentage: number;
            /**
             * Format: int64
             * @description Number of distinct devices.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of devices with a js_error or crash under the variation.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with an error or crash.
             */
            errorRate: number;
            /**
             * Format: double
             * @description Percentage points by which errorRate is above the flag's other variations on the same release and channel; 0 without other variations.
             */
            errorRateDelta: number;
            flagKey: string;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description ID of the release; null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID that the devices ran; null for the embedded update.
             */
            updateUuid: string | null;
            /** @description Value in the devices' flagStates. */
            variation: string;
        };
        FlagLink: {
            /** @description Whether devices that run the release have the flag on. */
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            /** @description String of the variation that these devices get. Required when a flag that is not boolean is enabled. */
            value?: string;
        };
        FlagMove: {
            /** Format: int64 */
            devices: number;
            /** @description Value now, of the flag's type; null for a flag that the call would create. */
            from: unknown;
            /** @description Name of the variation with the value from; absent if no variation has it. */
            fromVariant?: string;
            /** @description Value after the call, of the flag's type. */
            to: unknown;
            /** @description Name of the variation with the value to; absent if no variation has it. */
            toVariant?: string;
        };
        FlagPreview: {
            /**
             * Format: int64
             * @description Number of devices that would get another value; null if no context was seen in the last 7 days.
             */
            devicesAffected: number | null;
            /** @description Changes of the value, the most frequent first. */
            moves: components["schemas"]["FlagMove"][];
            /** @description Approvals that the call would wait for. Each also has a sentence in warnings. */
            neededApprovals: components["schemas"]["NeededApproval"][];
            /** @description Warnings to read before the call, as sentences. */
            warnings: string[];
        };
        FlagRule: {
            /** @description Name of the only channel that the rule is for; null for all channels. */
            channelName: string | null;
            /** Format: int64 */
            id: number;
            /**
             * Format: int64
             * @description Priority; the lowest comes first.
             */
            priority: number;
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description Value of the variation, as a string; null for a split, whose shares in ruleConfig.rollout have the values. */
            variantValue: string | null;
        };
        FlagSchedule: {
            /**
             * Format: int64
             * @description ID of the approval that the change needs or needed; otherwise null.
             */
            approvalId: number | null;
            /**
             * Format: date-time
             * @description Time of the change.
             */
            at: string;
            /** @description The whole flag after the change. */
            body: components["schemas"]["SaveFlagBody"];
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the status became final; null until then.
             */
            endedAt: string | null;
            /** @description Reason why the change was not made; otherwise null. */
            error: string | null;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** Format: int64 */
            id: number;
            /** @description Whether the flag was changed after this change was scheduled. A change that is outdated at its time becomes stale. */
            isOutdated: boolean;
            /** @description Person or key in whose name the change is made. */
            scheduledBy: components["schemas"]["ScheduledBy"];
            /**
             * @description Status of the change. unapproved: not approved by its time. stale: the flag was changed or deleted before. failed: Waft could not make the change.
             * @enum {string}
             */
            status: "pending_approval" | "scheduled" | "applied" | "cancelled" | "rejected" | "unapproved" | "stale" | "failed";
            /** @description Description of what the change does to the flag. */
            summary: string;
            /** @description ID of the waiting Temporal workflow. */
            workflowId: string;
            /** @description URL of the workflow in Temporal's web UI. Only listFlagSchedules returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null. */
            workflowUrl: string | null;
        };
        ForgotPasswordBody: {
            /** @description Email address of the account. */
            email: string;
        };
        FreezeWindow: {
            /** @description Days on which the window begins; every day by default or if empty. */
            days?: ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[];
            /** @description Start of the window in the policy's time zone, HH:MM. */
            from: string;
            /** @description End of the window, HH:MM. A time at or before from is on the next day. */
            to: string;
        };
        Garbage: {
            /**
             * Format: int64
             * @description Number of distinct files that only these builds have.
             */
            blobCount: number;
            /** @description Builds to delete, oldest first. */
            builds: components["schemas"]["GarbageBuild"][];
            /**
             * Format: int64
             * @description Total size of these files, including compressed variants, patches, and the received bytes of partial files.
             */
            bytes: number;
            /**
             * Format: int64
             * @description Number of partial files that were uploaded without a build and have not grown for a day.
             */
            partialFileCount: number;
            /**
             * Format: int64
             * @description Number of unused files that the next cleanup deletes from the asset bucket.
             */
            pendingBlobs: number;
        };
        GarbageBuild: {
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            message: string;
            /** @enum {string} */
            platform: "ios" | "android";
            runtimeVersion: string;
            /**
             * Format: int64
             * @description Size of all files of the build, including files that other builds share.
             */
            sizeBytes: number;
            /** Format: uuid */
            uuid: string;
        };
        GroupFlag: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            flagKey: string;
            variation: string;
        };
        GroupPlatform: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
        };
        GroupUpdate: {
            /** Format: int64 */
            devices: number;
            /** Format: int64 */
            events: number;
            /** @description Release of updateId; null if updateId is null. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release; null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
        };
        Health: {
            /** Format: date-time */
            checkedAt: string;
            /**
             * Format: int64
             * @description Number of these devices with a crash.
             */
            crashedDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with a crash.
             */
            crashRate: number;
            /**
             * Format: int64
             * @description Number of devices inside the rollout that Waft served the release and that sent a report with it.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of these devices with an error or a crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with an error or a crash.
             */
            errorRate: number;
            /** @description Custom events for which the policy has thresholds. */
            events: components["schemas"]["EventHealth"][];
            /**
             * Format: double
             * @description E-value of the sequential test against a threshold, without the most affected networks; 1 stands for a lack of evidence.
             */
            evidence: number;
            /**
             * Format: int64
             * @description Number of devices that sent a report with the release and are not counted above.
             */
            ignoredDevices: number;
            /** @description Number of ignored devices by reason. */
            ignoredReasons: components["schemas"]["IgnoredDevices"];
            /** Format: int64 */
            launches: number;
            /** @description Votes that are compared with thresholds, unless the policy's minNetworks is 1. */
            votes: components["schemas"]["Votes"];
        };
        HealthEvent: {
            /** @description Steps before an error or crash, oldest first; the newest 50 are kept. */
            breadcrumbs?: components["schemas"]["ReportedBreadcrumb"][];
            componentStack?: string;
            /**
             * Format: int64
             * @description Number of occurrences.
             */
            count: number;
            errorName?: string;
            /** @description Flag variations that were active at the time. */
            flagStates?: {
                [key: string]: string;
            };
            isFatal?: boolean;
            message?: string;
            /** @description Name of a custom event. */
            name?: string;
            stackTrace?: string;
            tags?: {
                [key: string]: string;
            };
            /** @description Type of the event: js_error, crash, custom or app_launch. Events of other types are skipped. */
            type: string;
        };
        HealthLimit: {
            /**
             * Format: double
             * @description Percentage of devices.
             */
            rate: number;
            /**
             * @description policy: threshold of the policy by which the release was rolled out. incidents: rate from which Waft opens an incident on a release without earlier reports.
             * @enum {string}
             */
            source: "policy" | "incidents";
        };
        HealthReport: {
            /** @default default */
            channel?: string;
            /** @description Stable ID of the device, the same as in manifest requests. */
            deviceId: string;
            events: components["schemas"]["HealthEvent"][];
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /** @description Slug or UUID of the project. */
            projectSlug: string;
            runtimeVersion: string;
            /**
             * Format: uuid
             * @description ID of the running update; null or absent for the embedded update.
             */
            updateUuid?: string | null;
        };
        HistoryEntry: {
            /** @description Action, written as noun.verb. */
            action: string;
            /** @description Name of the key, or system. */
            actor: string;
            /** @description ID of the change. All entries of one change have the same. */
            changeId: string;
            /** Format: date-time */
            createdAt: string;
            /** @description Details of the change. */
            details: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description ID of the entry in the audit log.
             */
            id: number;
        };
        IdentityProvider: {
            /** @description ID of the provider in paths. */
            id: string;
            /** @description Display name of the provider. */
            name: string;
        };
        IgnoredDevices: {
            /**
             * Format: int64
             * @description Number of devices that were served the release and are outside the rollout.
             */
            notInShare: number;
            /**
             * Format: int64
             * @description Number of devices that Waft never served the release; their reports may be forged.
             */
            notServed: number;
            /**
             * Format: int64
             * @description Number of devices whose reports all exceeded the rate limit (429); a lower bound.
             */
            rateLimited: number;
        };
        Incident: {
            /** Format: date-time */
            acknowledgedAt: string | null;
            /** @description Name of the key or person that acknowledged the incident; null for none. */
            acknowledgedBy: string | null;
            /**
             * Format: double
             * @description Percentage of devices with an error in the 24 hours before the incident opened; 0 without devices.
             */
            baselineErrorRate: number;
            channel: string;
            /**
             * Format: date-time
             * @description Time of the last check.
             */
            checkedAt: string;
            /**
             * Format: int64
             * @description Number of these devices with a crash.
             */
            crashedDevices: number;
            /**
             * Format: int64
             * @description Number of devices in the hour before checkedAt.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of these devices with a js_error or crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of the hour's devices with an error.
             */
            errorRate: number;
            /**
             * Format: int64
             * @description ID of the flag; null for none, and once the flag is deleted.
             */
            flagId: number | null;
            /** @description Key of the flag with a variation that has significantly more errors; null for none. */
            flagKey: string | null;
            /** @description Author of the commit; empty if they are unknown. */
            gitAuthor: string;
            /** @description Commit of the release; empty if it is unknown. */
            gitCommitHash: string;
            /** Format: int64 */
            id: number;
            /** @description Note about the incident. */
            note: string;
            /** Format: date-time */
            openedAt: string;
            /**
             * Format: int64
             * @description Greatest erroredDevices so far.
             */
            peakErroredDevices: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /** @description Release of updateId; null if updateId is null. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * @description Reason why the incident ended; null while it is open. rolled_back: devices no longer get the release. recovered: the error rate is normal again.
             * @enum {string|null}
             */
            resolution: "rolled_back" | "recovered" | "closed_by_person" | null;
            /**
             * Format: date-time
             * @description Time at which the incident ended; null while it is open.
             */
            resolvedAt: string | null;
            /**
             * Format: int64
             * @description ID of the newest rollout of the release; null for none.
             */
            rolloutExecutionId: number | null;
            runtimeVersion: string;
            /**
             * @description resolved: Waft ended the incident. closed: a person ended it.
             * @enum {string}
             */
            status: "open" | "resolved" | "closed";
            /**
             * Format: int64
             * @description ID of the release; null for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
            /** @description Variation with significantly more errors; null for none. */
            variation: string | null;
        };
        IncidentFigures: {
            /**
             * Format: double
             * @description Percentage of devices with an error in the 24 hours before the incident opened; 0 without devices.
             */
            baselineErrorRate: number;
            /**
             * Format: date-time
             * @description Time of the last check.
             */
            checkedAt: string;
            /**
             * Format: int64
             * @description Number of devices in the hour before checkedAt.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of these devices with a js_error or crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of the hour's devices with an error.
             */
            errorRate: number;
            /** Format: int64 */
            id: number;
            /** Format: date-time */
            openedAt: string;
        };
        Invitation: {
            /** @description Whether Waft mails the link to the address. */
            byMail: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Email address of the invited person. */
            email: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Name of the person or key that created the invitation. */
            invitedBy: string;
            /**
             * @description Role that the person gets.
             * @enum {string}
             */
            role: "viewer" | "editor" | "admin";
            /**
             * Format: date-time
             * @description Time at which the mail server accepted the mail; null before.
             */
            sentAt: string | null;
        };
        LinkBegun: {
            /** @description Page of the provider, to open in the same browser within 10 minutes. */
            url: string;
        };
        LinkBody: {
            /** @description Path under /app/ that the browser opens at the end. */
            returnTo?: string;
        };
        LinkedFlag: {
            enabled: boolean;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** @description Value of the variation. */
            value: string;
        };
        LinkedIdentity: {
            /**
             * Format: int64
             * @description ID of the link, used to remove it.
             */
            id: number;
            /** @description Issuer of the provider. */
            issuer: string;
            /**
             * Format: date-time
             * @description Time at which the identity was linked.
             */
            linkedAt: string;
            /** @description Name of the provider; its issuer if it is no longer configured. */
            name: string;
            /** @description ID of the provider; null if it is no longer configured. */
            provider: string | null;
            /** @description Identifier of the person at the provider. */
            subject: string;
        };
        Liveness: {
            /** @enum {string} */
            status: "ok";
            version: string;
        };
        Login: {
            user: components["schemas"]["User"];
        };
        LogInBody: {
            email: string;
            password: string;
        };
        LoginMethods: {
            /** @description Whether Waft mails a link to people who forgot their password, which requires WAFT_SMTP_URL. */
            forgotPassword: boolean;
            /** @description Identity providers, where sign-in begins at /v1/auth/oidc/{provider}. */
            oidc: components["schemas"]["IdentityProvider"][];
            /** @description Whether people can sign in with a passkey, which requires WAFT_BASE_URL. */
            passkeys: boolean;
            /** @description Whether people can sign in with an email address and a password. */
            password: boolean;
            /** @description Whether no account exists yet. */
            setupRequired: boolean;
        };
        Me: {
            /** @description API key of the request; absent with a session. */
            apiKey?: components["schemas"]["MyKey"];
            /** @description Position in the event streams of all projects, an opaque string. A client that reads data after this response and then sends the position as Last-Event-ID to GET /v1/ota/stream does not miss a change. */
            position: string;
            /** @description Projects that the client may act in, by slug. */
            projects: components["schemas"]["MyProject"][];
            /** @description User of the session; absent with an API key. */
            user?: components["schemas"]["User"];
        };
        Member: {
            /** Format: date-time */
            createdAt: string;
            email: string;
            /** @description Whether the person has proved the address, or the operator vouches for it. An unverified account may belong to a stranger. */
            emailVerified: boolean;
            /** Format: int64 */
            id: number;
            name: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            /**
             * @description Source of the membership: an invitation or an admin's change, ownership of the installation, or groups of an identity provider, which are evaluated at every sign-in.
             * @enum {string}
             */
            source: "invitation" | "owner" | "groups";
            /** Format: int64 */
            userId: number;
        };
        MissingFiles: {
            /** @description SHA-256 of each file to send, written and ordered as in the request, without repeats. */
            missing: string[];
        };
        MyKey: {
            /** @description Names of the only channels that the key may change; absent for all. */
            channels?: string[];
            name: string;
            /** @description First part of the key, which is not secret. */
            prefix: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
        };
        MyProject: {
            name: string;
            /** @description https URL of the app's repository, to which links to commits append /commit/ and the hash; absent for none. */
            repositoryUrl?: string;
            /** @enum {string} */
            role: "viewer" | "editor" | "admin";
            slug: string;
        };
        NamedBuild: {
            /** @description App configuration. The field may also be named expoConfig. */
            clientConfig?: {
                [key: string]: unknown;
            } | null;
            /**
             * Format: uuid
             * @description ID of the update inside a binary, if the build is that update's bundle.
             */
            embeddedUpdateId?: string;
            /** @description Files of the export, and the source map of its bundle. */
            files: components["schemas"]["NamedFile"][];
            gitAuthor?: string;
            gitBranch?: string;
            gitCommitHash?: string;
            message?: string;
            /** @description Expo's metadata.json, unless it is among the files. */
            metadata?: {
                [key: string]: unknown;
            } | null;
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Runtime version; only devices with exactly this one get the build. The field may also be named runtimeFingerprint. */
            runtimeVersion: string;
        };
        NamedFile: {
            /** @description Whether the file is the bundle that the app starts, unless another rule decides it. */
            isLaunchAsset?: boolean;
            /** @description Path inside the export. */
            path: string;
            /** @description SHA-256 of the file in base64url without padding, or in hex. */
            sha256: string;
        };
        NeededApproval: {
            /** @description Protected channels on which the call would change what devices get. */
            channels: string[];
            /**
             * Format: int64
             * @description Number of approvals that the call would wait for; 0 if only admins may make the call.
             */
            required: number;
            /** @description The sentence in warnings about these approvals. */
            warning: string;
        };
        Offer: {
            branchName: string;
            /**
             * Format: double
             * @description Percentage of the channel's devices that are served from the branch, 0 to 100.
             */
            branchPercentage: number;
            /**
             * Format: int64
             * @description ID of the build; null for an instruction to return to the embedded update.
             */
            buildId: number | null;
            isCritical: boolean;
            isEnabled: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            linkedFlags: components["schemas"]["OfferedFlag"][];
            releaseMessage: string;
            /**
             * Format: int64
             * @description ID of the release whose content this release repeats; otherwise null.
             */
            republishedFromId: number | null;
            /**
             * Format: int64
             * @description ID of the rollout that changes the rollout percentage; otherwise null. Steps of a rollout that was itself approved do not make the approval stale.
             */
            rolloutExecutionId: number | null;
            /**
             * Format: double
             * @description Percentage of the branch's devices that get the release, 0 to 100.
             */
            rolloutPercentage: number;
            /**
             * Format: int64
             * @description ID of the release; null for a release that the call creates.
             */
            updateId: number | null;
        };
        OfferChange: {
            /** @description Releases that the channel offers after the call. */
            after: components["schemas"]["Offer"][];
            /** @description Releases that the channel offered before the call. A device gets the first release whose rollout includes it. */
            before: components["schemas"]["Offer"][];
            channel: string;
            /** @enum {string} */
            platform: "ios" | "android";
            runtimeVersion: string;
        };
        OfferedFlag: {
            flagKey: string;
            value: string;
        };
        OFREPError: {
            /** @enum {string} */
            errorCode: "FLAG_NOT_FOUND" | "PARSE_ERROR" | "TARGETING_KEY_MISSING" | "INVALID_CONTEXT" | "GENERAL";
            errorDetails?: string;
            /** @description Key of the requested flag; absent if all flags were requested. */
            key?: string;
        };
        OFREPEventStream: {
            /**
             * Format: int64
             * @description Time in seconds after which a hidden page closes the stream.
             */
            inactivityDelaySec: number;
            /** @enum {string} */
            type: "sse";
            /**
             * Format: uri
             * @description URL of the stream. Its token opens streams for one hour.
             */
            url: string;
        };
        OFREPFlag: {
            key: string;
            reason: string;
            /** @description Value of the flag's type. */
            value: unknown;
            variant?: string;
        };
        OFREPFlags: {
            /** @description Stream of changes; absent for the root key or without a public URL. */
            eventStreams?: components["schemas"]["OFREPEventStream"][];
            flags: components["schemas"]["OFREPFlag"][];
        };
        OFREPRequest: {
            /** @description Evaluation context of OpenFeature. targetingKey, or else deviceId, decides shares and user lists. channel, platform, runtimeVersion, updateUuid and deviceId are built-in attributes. */
            context?: {
                [key: string]: unknown;
            };
        };
        OrderRulesBody: {
            /** @description IDs of all rules of the flag, in the order of evaluation. */
            ruleIds: number[];
        };
        OwnLoginMethods: {
            /** @description Linked identities, oldest first. */
            identities: components["schemas"]["LinkedIdentity"][];
            /** @description Identity providers that the account is linked with. */
            oidc: components["schemas"]["IdentityProvider"][];
            /** @description Whether the account has a passkey for the installation's domain. */
            passkeys: boolean;
            /** @description Whether the account has a password. */
            password: boolean;
        };
        Party: {
            /** @description ID of the user or of the API key; root for the root key. */
            id: string;
            /** @description Email address of the user, or name of the key. */
            name: string;
            /** @enum {string} */
            type: "api_key" | "user";
        };
        Passkey: {
            /** @description Whether a sign-in with the passkey was refused because a copy of it may exist. */
            cloneWarning: boolean;
            /** Format: date-time */
            createdAt: string;
            /** @description Domain that the passkey works on: the domain of the installation's URL when the passkey was created. */
            domain: string;
            /** Format: int64 */
            id: number;
            /**
             * Format: date-time
             * @description Time of the last sign-in with the passkey; null before the first one.
             */
            lastUsedAt: string | null;
            name: string;
        };
        PasskeyLoginBody: {
            /** @description AuthenticationResponseJSON of WebAuthn, as toJSON() of the credential returns it. */
            credential: {
                [key: string]: unknown;
            };
        };
        PasskeyOptions: {
            /** @description WebAuthn's PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON. */
            publicKey: {
                [key: string]: unknown;
            };
        };
        PatchChannelBody: {
            /** @description Name of the branch that devices get. */
            branchName?: string;
            /** @description Whether updates are stopped for all devices of the channel. */
            isPaused?: boolean;
            /** @description Whether the channel is protected: only admins, or others with approval, can change what its devices get. Set by admins only. */
            isProtected?: boolean;
            /** @description Minimum runtime version; devices below it must update in the app store. Null for no minimum. */
            minRuntimeVersion?: string | null;
            /**
             * Format: int64
             * @description Number of people who must approve a change of what a protected channel's devices get. From 1 on, changes by everyone wait. Set by admins only.
             */
            requiredApprovals?: number;
            /** @description Name of the branch that a percentage of the devices gets; null ends the branch rollout. */
            rolloutBranchName?: string | null;
            /**
             * Format: double
             * @description Percentage of devices that are served from the rollout branch.
             */
            rolloutPercentage?: number | null;
        };
        PatchEnvironmentBody: {
            /** @description Default value for the channel: a value of the flag's type, or a string that contains it; null uses the flag's own value. */
            defaultValue?: unknown;
            /** @description Whether the flag is on for the channel; null uses the flag's own setting. */
            enabled?: boolean | null;
        };
        PatchFlagBody: {
            /** @description Default value: a value of the flag's type, or a string that contains it. */
            defaultValue?: unknown;
            /** @description Description of the flag; null clears it. */
            description?: string | null;
            /** @description Whether the flag is on for channels without a setting of their own. */
            enabled?: boolean;
            name?: string;
            /** @description New variations, which replace all current ones. */
            variations?: components["schemas"]["VariationBody"][];
        };
        PatchGroupBody: {
            /**
             * Format: int64
             * @description User ID of a member who works on the group; null for nobody.
             */
            assigneeId?: number | null;
            /** @description Note about the group; null clears it. */
            note?: string | null;
            /** @description true resolves the group, and resolves a regressed group again. false opens it again. */
            resolved?: boolean;
        };
        PatchIncidentBody: {
            /** @description Whether someone is working on the incident. true records the caller as acknowledgedBy unless someone is already recorded; false removes the record. */
            acknowledged?: boolean;
            /** @description Note about the incident; null clears it. */
            note?: string | null;
            /**
             * @description closed ends an open incident with the resolution closed_by_person.
             * @enum {string}
             */
            status?: "closed";
        };
        PatchMeBody: {
            /** @description Name that others see. */
            name?: string;
        };
        PatchMemberBody: {
            /** @enum {string} */
            role?: "viewer" | "editor" | "admin";
        };
        PatchPasskeyBody: {
            /** @description Name of the passkey, to distinguish it from others. */
            name?: string;
        };
        PatchPolicyBody: {
            /** @description Name of the only channel whose releases the policy may roll out; null for any. */
            channel?: string | null;
            /** @description Description of the policy; null clears it. */
            description?: string | null;
            /** @description Freeze windows, which replace all current ones; empty for none. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            /** @description Whether new rollouts may use the policy. */
            isActive?: boolean;
            /** @description Display name of the policy. */
            name?: string;
            /** @description Stages in order, which replace all current ones. */
            stages?: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description Earliest start of the first stage; null for immediately.
             */
            startAt?: string | null;
            thresholds?: components["schemas"]["PatchThresholds"];
            /** @description IANA name of the time zone of freezeWindows. */
            timeZone?: string;
        };
        PatchRuleBody: {
            /** @description Name of the only channel that the rule is for; null for all channels. */
            channelName?: string | null;
            /** Format: int64 */
            priority?: number;
            /** @description New configuration, which replaces the whole current one. */
            ruleConfig?: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType?: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description Value of the variation, as a string; null only for a rule with ruleConfig.rollout. */
            variantValue?: string | null;
        };
        PatchSegmentBody: {
            /** @description New conditions, which replace all current ones. */
            conditions?: components["schemas"]["SegmentCondition"][];
            /** @description Description of the segment; null clears it. */
            description?: string | null;
            /** @enum {string} */
            matchType?: "all" | "any";
            name?: string;
        };
        PatchSettingsBody: {
            /**
             * Format: int64
             * @description Days after its upload until a cleanup deletes a build that no release needs; null to keep builds.
             */
            buildRetentionDays?: number | null;
            /** @description Whether telemetry stores only a keyed hash of device IDs. Earlier rows keep the old form, so a device counts twice around the change. Rollouts ignore the device on releases that it was served before the change. Cannot be changed while a rollout is open. */
            hashIds?: boolean;
            /** @description https URL of the app's repository, such as https://github.com/acme/app, without credentials, a query, or a slash at its end; null for none. */
            repositoryUrl?: string | null;
            /**
             * Format: int64
             * @description Days after which the telemetry of single devices is deleted; null for the longest retention.
             */
            telemetryRetentionDays?: number | null;
            /** @description Networks such as 203.0.113.0/24 or 2001:db8::/48, at most 100, which replace the previous list. The list applies to releases served from then on: a device keeps the network in which it was first served a release. */
            trustedNetworks?: string[];
        };
        PatchThresholds: {
            /** @enum {string} */
            action?: "gate" | "auto-rollback";
            /**
             * Format: int64
             * @description Maximum number of votes that the networks of one allocation have together.
             */
            allocationVotes?: number;
            /** @enum {string} */
            baseline?: "limit" | "control";
            /**
             * Format: double
             * @description Maximum percentage of devices with a crash; null for no threshold.
             */
            crashRate?: number | null;
            /**
             * Format: double
             * @description Maximum percentage of devices with an error; null for no threshold.
             */
            errorRate?: number | null;
            /** @description Thresholds for custom events, which replace all current ones; empty or null for none. */
            events?: components["schemas"]["EventLimit"][] | null;
            /** @enum {string} */
            method?: "sequential" | "point";
            /**
             * Format: int64
             * @description Minimum number of networks that must report before a rate can decide.
             */
            minNetworks?: number;
            /** @enum {string} */
            rollbackScope?: "release" | "graduated";
        };
        PatchUpdateBody: {
            /** @description Whether devices apply the release immediately. */
            isCritical?: boolean;
            /** @description Whether devices get the release. */
            isEnabled?: boolean;
            /** @description Linked feature flags, which replace all current ones; null removes them. */
            linkedFlags?: components["schemas"]["FlagLink"][] | null;
            /** @description Reason, shown in the history of the release and the audit log. */
            reason?: string;
            /** @description Release notes; null clears them. */
            releaseMessage?: string | null;
            /**
             * Format: double
             * @description Percentage of devices that get the release, 0 to 100.
             */
            rolloutPercentage?: number;
        };
        PatchVariationBody: {
            name?: string;
            /** @description Value of the variation, as a string. */
            value?: string;
        };
        PatchWebhookBody: {
            description?: string | null;
            /** @description Names of actions as in the audit log, such as build.published, or * for all. */
            events?: string[];
            /**
             * @description Format of the messages, including pending ones.
             * @enum {string}
             */
            format?: "standard" | "slack" | "teams";
            /** @description Whether the webhook gets messages. */
            isActive?: boolean;
            /** @description New secret, which immediately replaces all others. To have a secret generated and let the old one sign for another day, see rotate-secret. */
            secret?: string;
            /** @description Absolute http or https URL that messages are posted to. */
            url?: string;
        };
        PendingApproval: {
            /** @description Approval that the call waits for. The call has not changed anything yet. */
            approval: components["schemas"]["Approval"];
        };
        PolicyForecast: {
            /**
             * Format: int64
             * @description Number of devices that reported within 24 hours, on which the forecast is based.
             */
            activeDevices: number;
            /** @description Forecasts for true rates of 1%, 2% and 5% of crashing devices. */
            detection: components["schemas"]["DetectionForecast"][];
            /**
             * Format: date-time
             * @description End of the last stage; null if a stage would never reach its minimum of devices.
             */
            endsAt: string | null;
            stages: components["schemas"]["StageForecast"][];
        };
        PollTerminalBody: {
            /** @description Secret of the sign-in. */
            secret: string;
        };
        PreviewedChannel: {
            after: components["schemas"]["PreviewedChannelState"];
            before: components["schemas"]["PreviewedChannelState"];
            name: string;
        };
        PreviewedChannelState: {
            isPaused: boolean;
        };
        PreviewedFlag: {
            after: components["schemas"]["LinkedFlag"] | null;
            /** @description Flag value that the release sets now; null if it does not set any, as when it is disabled. */
            before: components["schemas"]["LinkedFlag"] | null;
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** @description Release of updateId; null if updateId is null. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release; null for a release that the call would publish, and for a flag whose rules use a changed segment.
             */
            updateId: number | null;
        };
        PreviewedRelease: {
            /** @description State after the call; null for a release that the call would delete. */
            after: components["schemas"]["PreviewedReleaseState"] | null;
            /** @description State now; null for a release that the call would publish. */
            before: components["schemas"]["PreviewedReleaseState"] | null;
            branchName: string;
            /** @description Channel that the release was published to; null if it was published to a branch directly. */
            channel: string | null;
            isCritical: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            /** @enum {string} */
            platform: "ios" | "android";
            releaseMessage: string;
            /**
             * Format: int64
             * @description ID of the release that this release repeats; otherwise null.
             */
            republishedFromId: number | null;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description ID of the release; null for a release that the call would publish.
             */
            updateId: number | null;
        };
        PreviewedReleaseState: {
            /** @description Whether devices apply the release immediately; only if the call would change that. */
            isCritical?: boolean;
            isEnabled: boolean;
            /** Format: double */
            rolloutPercentage: number;
        };
        PreviewedRollout: {
            after: components["schemas"]["PreviewedRolloutState"];
            /** @description State now; null for a rollout that the call would start. */
            before: components["schemas"]["PreviewedRolloutState"] | null;
            /**
             * Format: int64
             * @description ID of the rollout; null for a rollout that the call would start.
             */
            id: number | null;
            policyName: string;
            /** @description Its release; null for a release that the call would publish. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of its release; null for a release that the call would publish.
             */
            updateId: number | null;
        };
        PreviewedRolloutState: {
            /** Format: double */
            percentage: number;
            /**
             * Format: int64
             * @description Index of the stage, beginning at 0.
             */
            stageIndex: number;
            /** @enum {string} */
            status: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
        };
        PreviewPolicyBody: {
            /** @description Name of the channel whose devices the forecast is for; all by default. */
            channel?: string;
            description?: string;
            /** @description Periods in which stages do not begin automatically. */
            freezeWindows?: components["schemas"]["FreezeWindow"][];
            isActive?: boolean;
            /** @description Display name, optional in a forecast. */
            name?: string;
            /**
             * @description Platform of the devices that the forecast is for; all by default.
             * @enum {string}
             */
            platform?: "ios" | "android";
            /** @description Runtime version of the devices that the forecast is for; all by default. */
            runtimeVersion?: string;
            /** @description Stages in order. */
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description Earliest start of the first stage; immediately by default.
             */
            startAt?: string;
            /** @description Thresholds in every stage; none by default. */
            thresholds?: components["schemas"]["Thresholds"];
            /** @description IANA name of the time zone of freezeWindows; UTC by default. */
            timeZone?: string;
        };
        PreviousTimeseries: {
            /** @description Points for the same buckets as the points of the release. */
            points: components["schemas"]["TimeseriesPoint"][];
            release: components["schemas"]["ReleaseName"];
            /** @description Activity of the previous release in the whole period. */
            total: components["schemas"]["TimeseriesTotal"];
            /**
             * Format: int64
             * @description ID of the previous release.
             */
            updateId: number;
        };
        Problem: {
            /** @description Stable code for programs. */
            code: string;
            /** @description Explanation of this problem, and how to solve it. */
            detail: string;
            /** @description Problems of the input, one for each invalid field. */
            errors?: components["schemas"]["FieldProblem"][];
            /** @description With the code goal_disabled: the disabled release that the rollback would return to. */
            goal?: components["schemas"]["RollbackGoal"];
            /** @description Path of the request. */
            instance: string;
            /** @description X-Request-Id of the request; quote it when you ask for help. */
            requestId: string;
            /**
             * Format: int64
             * @description HTTP status of the response.
             */
            status: number;
            /** @description Kind of problem, always the same for a code. */
            title: string;
            /** @description URI of the kind of problem, one for each code. */
            type: string;
            /**
             * @description Part of Waft that is unavailable; absent if the code is not unavailable, or if another part is.
             * @enum {string}
             */
            unavailable?: "postgres" | "clickhouse" | "temporal" | "worker";
        };
        Project: {
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: int64
             * @description Project ID, unique across the whole installation.
             */
            id: number;
            /** @description Display name of the project. */
            name: string;
            /** @description Name in URLs and in X-Project. */
            slug: string;
            /**
             * Format: uuid
             * @description UUID of the project, accepted wherever the slug is.
             */
            uuid: string;
        };
        ProjectSettings: {
            /**
             * Format: int64
             * @description Days after its upload until a cleanup deletes a build that no release needs; null to keep builds.
             */
            buildRetentionDays: number | null;
            /** @description Whether telemetry stores only a keyed hash of device IDs. */
            hashIds: boolean;
            /** @description https URL of the app's repository, to which links to commits append /commit/ and the hash; null for none. */
            repositoryUrl: string | null;
            /**
             * Format: int64
             * @description Days after which the telemetry of single devices (events, reports, downloads) is deleted. Null for the longest retention: events 30 days, a device on a release 180 days, a device on a day 400 days. Counts of devices and events are kept.
             */
            telemetryRetentionDays: number | null;
            /** @description Networks in which each device has its own vote in rollout decisions, such as an office network or a proxy that does not name its clients. Elsewhere, all devices of an IPv4 /24 or IPv6 /48 share one vote. */
            trustedNetworks: string[];
        };
        ProjectSetup: {
            /** @description Whether the project has an API key that is not revoked. */
            hasApiKey: boolean;
            /** @description Whether the project has a release. */
            hasRelease: boolean;
            /** @description ID of the project's code signing key; null without one. */
            signingKeyId: string | null;
        };
        PublishBuildBody: {
            /** @description Name of the channel to publish to. */
            channel: string;
            /**
             * Format: uuid
             * @description The groupId of another platform's release, to publish both together.
             */
            groupId?: string;
            /** @description Whether devices apply the release immediately rather than at their next cold start. */
            isCritical?: boolean;
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags?: components["schemas"]["FlagLink"][];
            /** @description Release notes. */
            releaseMessage?: string;
            /**
             * Format: double
             * @description Percentage of devices that get the release, 0 to 100; 100 by default.
             */
            rolloutPercentage?: number;
            /**
             * Format: int64
             * @description ID of the policy that rolls the release out.
             */
            rolloutPolicyId?: number;
        };
        PutPublisherBody: {
            /** @description Only audience that a token may be issued for, such as this server's URL. */
            audience: string;
            /** @description Names of the only channels that the keys may change; all if absent. */
            channels?: string[] | null;
            /** @description Claims that a token must have, each with exactly this string. ref, ref_path, build_branch and build_tag may end in *, which stands for any string. The claims must identify the repository or project: repository, project_path, organization_slug with pipeline_slug, or sub. */
            claims: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * @description Ignored, so that a response can be edited and sent back.
             */
            createdAt?: string;
            /**
             * Format: int64
             * @description Ignored, so that a response can be edited and sent back.
             */
            id?: number;
            /** @description OpenID Connect issuer of the CI system, an https URL. */
            issuer: string;
            /**
             * @description Role of the keys.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        PutSigningBody: {
            /** @description Certificate of the key: currently valid, with key usage digitalSignature and extended key usage codeSigning. Unless it is self-signed, up to four intermediate CA certificates follow in order, without the root. */
            certificatePem: string;
            /** @description Key ID from the app's codeSigningMetadata; main by default. */
            keyId?: string;
            /** @description RSA key of 2048 to 8192 bits, PKCS#8 or PKCS#1, without a password. */
            privateKeyPem: string;
        };
        ReadyOrNot: {
            /** @enum {string} */
            status: "ready" | "not_ready";
        };
        RecoverWebhookBody: {
            /**
             * Format: date-time
             * @description Start of the period: messages whose delivery began at this time or later. Deliveries are kept for at least 30 days.
             */
            since: string;
        };
        RefusedRequests: {
            /** @description Channel as the device sends it; empty if it sends none, (other) beyond the cardinality limit. */
            channel: string;
            /**
             * Format: int64
             * @description Number of distinct devices among the requests with a device ID.
             */
            devices: number;
            /** Format: date-time */
            lastSeenAt: string;
            platform: string;
            /**
             * @description Reason of the refusal. no_release: the branch has no release for the platform and runtime version. rate_limited: the device or its address exceeded the rate limit.
             * @enum {string}
             */
            reason: "unknown_channel" | "missing_channel" | "missing_platform" | "missing_runtime_version" | "bad_request" | "no_release" | "rate_limited";
            /** Format: int64 */
            requests: number;
            runtimeVersion: string;
        };
        ReleaseFigures: {
            /**
             * Format: double
             * @description Percentage of reportedDevices without a crash; null without devices.
             */
            crashFreePercentage: number | null;
            /** @description Limit of crashRate. */
            crashLimit: components["schemas"]["HealthLimit"];
            /**
             * Format: double
             * @description Percentage of reportedDevices with a crash; null without devices.
             */
            crashRate: number | null;
            /**
             * Format: int64
             * @description Number of active devices whose last report is of the release.
             */
            devices: number;
            /** @description Limit of errorRate. */
            errorLimit: components["schemas"]["HealthLimit"];
            /**
             * Format: double
             * @description Percentage of reportedDevices with an error or a crash; null without devices.
             */
            errorRate: number | null;
            /** @description Whether crashRate or errorRate is above its limit. */
            isPastLimit: boolean;
            /**
             * Format: double
             * @description Percentage of targetDevices whose last report is of the release; null without devices.
             */
            percentage: number | null;
            /**
             * Format: int64
             * @description Number of devices that reported on the release or failed to start it, in all targets. The rates are percentages of these.
             */
            reportedDevices: number;
            /**
             * Format: int64
             * @description Number of active devices of the release's targets: the target that it was published to, and the targets of its devices.
             */
            targetDevices: number;
            /**
             * Format: int64
             * @description ID of the release.
             */
            updateId: number;
            /**
             * Format: uuid
             * @description Update ID of the release.
             */
            updateUuid: string;
        };
        ReleaseName: {
            /**
             * Format: uuid
             * @description ID that the platforms of one publish share.
             */
            groupId: string;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            /** @enum {string} */
            platform: "ios" | "android";
            releaseMessage: string;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description ID of the release.
             */
            updateId: number;
            /**
             * Format: uuid
             * @description Update ID of the release.
             */
            updateUuid: string;
        };
        ReportedBreadcrumb: {
            /** @description Kind of the breadcrumb, such as navigation or ui.tap; at most 64 characters are kept. A breadcrumb without category and message is skipped. */
            category?: string;
            /** @description Further data. The first 16 entries by name are kept, with names of at most 128 characters and values of at most 256. */
            data?: {
                [key: string]: string;
            };
            /**
             * @description Severity: debug, info, warning or error. Any other value counts as info.
             * @default info
             */
            level?: string;
            /** @description Description; at most 512 characters are kept. */
            message?: string;
            /**
             * Format: date-time
             * @description Time by the device's clock.
             */
            timestamp?: string;
        };
        RepublishBody: {
            /** @description Names of the channels to publish to; the channel of the original by default. */
            channels?: string[];
            /** @description Release notes; the notes of the original by default. */
            releaseMessage?: string;
            /**
             * Format: int64
             * @description ID of the policy that rolls the new releases out.
             */
            rolloutPolicyId?: number;
            /** @description IDs of the releases to republish, which include the release in the path; by default the release and the other platforms of its group. */
            updateIds?: number[];
        };
        Republished: {
            /**
             * Format: uuid
             * @description groupId that the new releases share; with several releases of one platform, the groupId of the release in the path.
             */
            groupId: string;
            /** @description Created releases, one per branch and republished release. */
            updates: components["schemas"]["Update"][];
        };
        ResetPasswordBody: {
            /** @description New password of at least 12 characters. */
            password: string;
            /** @description Token: the part of the mailed link after the #. */
            token: string;
        };
        Resolution: {
            /** @description Name of the branch; null if no branch was resolved. */
            branchName: string | null;
            /** @enum {string} */
            outcome: "update" | "up_to_date" | "no_update" | "rollback_to_embedded" | "store_update_required" | "channel_paused";
            /** @description Resolved release; null for none. */
            release: components["schemas"]["ReleaseName"] | null;
            /** @description Steps of the resolution, in order. */
            steps: components["schemas"]["ResolutionStep"][];
            /**
             * Format: int64
             * @description ID of the resolved release; null for none.
             */
            updateId: number | null;
            /** @description Update ID that the device gets: the release's own ID, or its newest alias. */
            updateUuid: string | null;
        };
        ResolutionStep: {
            /** @description Reason for the outcome, as a sentence. */
            detail: string;
            outcome: string;
            step: string;
        };
        Restore: {
            /**
             * Format: date-time
             * @description Time of the backup. Changes from after it are lost.
             */
            backedUpAt: string;
            /**
             * Format: int64
             * @description Number of rollouts that are still paused because of a restore.
             */
            pausedRollouts: number;
            /** Format: date-time */
            restoredAt: string;
        };
        RevokeAPIKeysBody: {
            /**
             * Format: int64
             * @description ID of the user who created the keys (userId of a member).
             */
            madeBy: number;
        };
        RevokedAPIKeys: {
            /**
             * Format: int64
             * @description Number of revoked keys.
             */
            revoked: number;
        };
        RollbackBody: {
            /** @description Whether to return even to a release that is disabled. */
            allowDisabled?: boolean;
            /** @description Name of the channel whose branch is rolled back. */
            channel: string;
            /** @description Further platforms and runtime versions of the channel to roll back in the same transaction. */
            others?: components["schemas"]["RollbackPart"][];
            /** @enum {string} */
            platform: "ios" | "android";
            /** @description Reason, shown in the history of the releases and the audit log. */
            reason?: string;
            /**
             * Format: int64
             * @description ID of the release to return to, on the channel's branch; the embedded update by default.
             */
            rollbackToUpdateId?: number;
            /** @description Runtime version of the devices to roll back. */
            runtimeVersion: string;
        };
        RollbackExecutionBody: {
            /** @description With the scope release: whether the other platforms of the release's group on its branch are rolled back in the same transaction. */
            allPlatforms?: boolean;
            /**
             * Format: int64
             * @description ID of the linked flag, for the scope flag.
             */
            flagId?: number;
            /** @description Reason, shown in the timeline and the audit log. */
            reason?: string;
            /**
             * @description Scope of the rollback. With flag, the rollout continues: its stage starts again and only later reports count.
             * @enum {string}
             */
            scope: "flag" | "release" | "channel";
        };
        RollbackGoal: {
            /**
             * Format: date-time
             * @description Time at which the release was disabled; null for an enabled release.
             */
            disabledAt: string | null;
            /** @description Person, API key or part of Waft that disabled the release; null for an enabled release. */
            disabledBy: components["schemas"]["Actor"] | null;
            /** @description Whether the release is enabled. A rollback to a disabled release needs allowDisabled. */
            isEnabled: boolean;
            /** @description Reason why the release was disabled; empty if none was given. */
            reason: string;
            /** Format: int64 */
            updateId: number;
        };
        RollbackPart: {
            /** @enum {string} */
            platform: "ios" | "android";
            /**
             * Format: int64
             * @description ID of the release to return to, on the channel's branch; the embedded update by default.
             */
            rollbackToUpdateId?: number;
            /** @description Runtime version of the devices to roll back. */
            runtimeVersion: string;
        };
        RolloutEvent: {
            /** @description Name of the key that gave a command, or system. */
            actor: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            event: "started" | "stage_advanced" | "paused" | "resumed" | "held" | "completed" | "cancelled" | "rolled_back" | "flags_reverted";
            /** Format: int64 */
            fromStage: number;
            /** @description Observation at that time; null if there was none. */
            health: components["schemas"]["Health"] | null;
            /**
             * Format: date-time
             * @description End of the freeze window that holds the rollout; null for other reasons.
             */
            heldUntil: string | null;
            /** Format: double */
            percentage: number;
            reason: string;
            /**
             * Format: date-time
             * @description End of the stage's minimum time, when a hold ended before it; null for other reasons.
             */
            runsUntil: string | null;
            /** Format: int64 */
            toStage: number;
        };
        RolloutExecution: {
            channel: string | null;
            /** Format: date-time */
            endedAt: string | null;
            /** @description Author of the commit; empty if the upload did not name them. */
            gitAuthor: string;
            /** @description Commit of the release; empty if the upload did not name it. */
            gitCommitHash: string;
            /** Format: uuid */
            groupId: string;
            /** @description Last observation; null before the first observation. */
            health: components["schemas"]["Health"] | null;
            /** Format: int64 */
            id: number;
            linkedFlags: components["schemas"]["LinkedFlag"][];
            /** Format: date-time */
            pausedAt: string | null;
            /**
             * Format: double
             * @description Percentage of devices that get the release now.
             */
            percentage: number;
            /** @enum {string} */
            platform: "ios" | "android";
            /**
             * Format: int64
             * @description ID of the policy; null once the policy is deleted.
             */
            policyId: number | null;
            policyName: string;
            /** @description Reason for the state of the rollout, as a sentence. */
            reason: string;
            /** @description Release notes of the release. */
            releaseMessage: string;
            runId: string;
            runtimeVersion: string;
            /** @description Schedule of the policy when the rollout started. */
            schedule: components["schemas"]["Schedule"];
            /** Format: int64 */
            stageCount: number;
            /**
             * Format: int64
             * @description Index of the stage, beginning at 0.
             */
            stageIndex: number;
            /** @description Stages of the policy when the rollout started. */
            stages: components["schemas"]["Stage"][];
            /** Format: date-time */
            stageStartedAt: string;
            /** Format: date-time */
            startedAt: string;
            /** @enum {string} */
            status: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
            /** @description Release that devices got when the release was rolled back; null if the rollout was not rolled back, or no device had to change. */
            successor: components["schemas"]["ReleaseName"] | null;
            /** @description Thresholds of the policy when the rollout started. */
            thresholds: components["schemas"]["Thresholds"];
            /** @description Events of the rollout, oldest first. */
            timeline: components["schemas"]["RolloutEvent"][];
            /** Format: int64 */
            updateId: number;
            /** Format: uuid */
            updateUuid: string;
            /** @description Time that the rollout waits for while waitingFor is duration; null if it does not wait for a time. */
            wait: components["schemas"]["TimedWait"] | null;
            /**
             * @description Condition that the stage waits for; null if it does not wait.
             * @enum {string|null}
             */
            waitingFor: "duration" | "devices" | "threshold" | "data" | "networks" | "resume" | null;
            /** @description ID of the Temporal workflow that drives the rollout. */
            workflowId: string;
            /** @description URL of the workflow in Temporal's web UI. Only getRolloutExecution returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null. */
            workflowUrl: string | null;
        };
        RolloutLook: {
            /** Format: date-time */
            at: string;
            /**
             * Format: int64
             * @description Number of these devices with a crash.
             */
            crashedDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with a crash.
             */
            crashRate: number;
            /**
             * Format: int64
             * @description Number of counted devices, as in the rollout's health.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of these devices with an error or a crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with an error or a crash.
             */
            errorRate: number;
            /** @description Custom events for which the policy has thresholds. */
            events: components["schemas"]["EventLook"][];
            /**
             * Format: double
             * @description Evidence, as in the rollout's health.
             */
            evidence: number;
            /**
             * Format: int64
             * @description Number of devices that sent a report with the release and are not counted.
             */
            ignoredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices that got the release.
             */
            percentage: number;
            /**
             * Format: int64
             * @description Index of the stage, beginning at 0.
             */
            stageIndex: number;
        };
        RolloutPolicy: {
            /** @description Name of the only channel whose releases the policy may roll out; null for any. */
            channel: string | null;
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Periods in which stages do not begin automatically. Waft still checks thresholds, and people can advance the rollout. */
            freezeWindows: components["schemas"]["FreezeWindow"][];
            /** Format: int64 */
            id: number;
            isActive: boolean;
            name: string;
            /** @description IDs of running and paused rollouts that use the policy. It cannot be changed while there are any. */
            runningExecutions: number[];
            stages: components["schemas"]["Stage"][];
            /**
             * Format: date-time
             * @description Earliest start of the first stage; null for immediately.
             */
            startAt: string | null;
            thresholds: components["schemas"]["Thresholds"];
            /** @description IANA name of the time zone of the freeze windows. */
            timeZone: string;
            /** Format: date-time */
            updatedAt: string;
        };
        RotateWebhookBody: {
            /** @description Whether the old secret stops signing with this call. Otherwise it signs for another 24 hours. */
            immediately?: boolean;
        };
        RuleCondition: {
            attribute: string;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            /** @description Patterns that never match, and the reason. Only in responses; ignored in a change. */
            problem?: string;
            /** @description Values to compare with; empty for exists and not_exists. */
            values?: (string | number | boolean)[];
        };
        RuleConfig: {
            /** @description Branch of the running update, for an ota_update rule. */
            branch?: string;
            /** @description Attribute that assigns a context to a share of rollout; the targeting key by default. */
            bucketBy?: string;
            /** @description Conditions that must all hold, for an attribute rule. */
            conditions?: components["schemas"]["RuleCondition"][];
            /** @description Shares of a split: required for a percentage_rollout, and instead of variantValue for a rule of another type, which splits the contexts that match its conditions. Weights add up to at most 100; the remaining contexts fall through to the next rule. */
            rollout?: components["schemas"]["RuleShare"][];
            /** @description Condition on the runtime version, for an ota_update rule. All conditions of the rule must hold. */
            runtimeVersion?: components["schemas"]["VersionCondition"];
            /** @description Key of the segment, for a segment rule. */
            segmentKey?: string;
            /**
             * Format: double
             * @description Maximum age of the running update in days, for an ota_update rule.
             */
            updatedWithinDays?: number;
            /** @description ID of the running update, for an ota_update rule. */
            updateUuid?: string;
            /** @description Targeting keys of users, for a user_list rule. */
            userIds?: string[] | string;
        };
        RuleExplanation: {
            /**
             * Format: int32
             * @description Bucket of the context, 0 to 99999. Only for a split whose conditions hold.
             */
            bucket?: number;
            /** @description Name of the only channel that the rule is for; null for all channels. */
            channelName: string | null;
            /** @description Conditions of an attribute rule or of the segment. */
            conditions?: components["schemas"]["ConditionExplanation"][];
            /** @description Whether this rule decided the value of the flag. */
            decided: boolean;
            /** @description Reason, as a sentence. */
            detail: string;
            matched: boolean;
            /** Format: int64 */
            priority: number;
            /** Format: int64 */
            ruleId: number;
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /**
             * Format: int32
             * @description Exclusive end of the share that contains the bucket, or of the last share if none does. Only for a split whose conditions hold.
             */
            threshold?: number;
        };
        RuleShare: {
            /** @description Value of the variation, as a string. */
            variantValue?: string;
            /** Format: int64 */
            variationId?: number;
            /**
             * Format: double
             * @description Percentage of the contexts that match the rule.
             */
            weight: number;
        };
        SavedEnvironmentBody: {
            /** @description Name of the channel. */
            channelName: string;
            /** @description Default value for the channel: a value of the flag's type, or a string that contains it. By default, the channel uses the flag's own value. */
            defaultValue?: unknown;
            /** @description Whether the flag is on for the channel; by default, the channel uses the flag's own setting. */
            enabled?: boolean | null;
            /** @description Whether defaultValue is ignored, and the channel uses the flag's own value. */
            isDefaultInherited?: boolean;
            /** @description Whether enabled is ignored, and the channel uses the flag's own setting. */
            isEnabledInherited?: boolean;
        };
        SavedRuleBody: {
            /** @description Name of the only channel that the rule is for; all channels by default. */
            channelName?: string | null;
            /**
             * Format: int64
             * @description ID of the rule that is kept or changed. A rule without an ID is created.
             */
            id?: number;
            /**
             * Format: int64
             * @description Ignored: the position in the list is the priority.
             */
            priority?: number | null;
            ruleConfig: components["schemas"]["RuleConfig"];
            /** @enum {string} */
            ruleType: "user_list" | "percentage_rollout" | "attribute" | "segment" | "ota_update";
            /** @description Value of the variation, as a string; null for a rule whose shares have the values. */
            variantValue?: string | null;
        };
        SaveFlagBody: {
            /** @description Default value: a value of the flag's type, or a string that contains it. */
            defaultValue: unknown;
            /** @description Description of the flag, empty by default. */
            description?: string;
            /** @description Whether the flag is on for channels without a setting of their own. */
            enabled: boolean;
            /** @description Channels with settings of their own. */
            environments?: components["schemas"]["SavedEnvironmentBody"][];
            /** @description Display name of the flag. */
            name: string;
            /** @description All rules of the flag, in the order of evaluation. */
            rules: components["schemas"]["SavedRuleBody"][];
            /** @description All variations of the flag. */
            variations: components["schemas"]["VariationBody"][];
        };
        Schedule: {
            /** @description Periods in which stages do not begin automatically. Waft still checks thresholds, and people can advance the rollout. */
            freezeWindows: components["schemas"]["FreezeWindow"][];
            /**
             * Format: date-time
             * @description Earliest start of the first stage; null for immediately.
             */
            startAt: string | null;
            /** @description IANA name of the time zone of the freeze windows. */
            timeZone: string;
        };
        ScheduledBy: {
            /** @description ID of the user or of the API key; root for the root key. */
            id: string;
            /** @description Email address of the user, or name of the key. */
            name: string;
            /** @enum {string} */
            type: "api_key" | "user";
        };
        ScheduleFlagBody: {
            /**
             * Format: date-time
             * @description Time of the change, in the future and at most one year from now.
             */
            at: string;
            /** @description The whole flag after the change, as for PUT. */
            body: components["schemas"]["SaveFlagBody"];
        };
        Segment: {
            conditions: components["schemas"]["SegmentCondition"][];
            /** Format: date-time */
            createdAt: string;
            description: string;
            /**
             * Format: int64
             * @description Number of devices in the segment that reported within seven days: exact up to 256, otherwise an estimate. Null for a segment with conditions on other attributes than platform, channel, runtimeVersion, updateUuid, ota.branch, ota.runtime_version and ota.update_id, for a segment that takes too many steps, and while telemetry is unavailable.
             */
            estimatedDevices: number | null;
            /** Format: int64 */
            id: number;
            /** @description Key of the segment in rules. */
            key: string;
            /**
             * @description Whether all conditions must hold, or at least one.
             * @enum {string}
             */
            matchType: "all" | "any";
            name: string;
            /** @description Flag rules that use the segment. It cannot be deleted while there are any. */
            referencedBy: components["schemas"]["SegmentReference"][];
            /** Format: date-time */
            updatedAt: string;
        };
        SegmentCondition: {
            attribute: string;
            /**
             * Format: int64
             * @description ID of the condition that this one replaces, in a change.
             */
            id?: number;
            /** @enum {string} */
            operator: "eq" | "neq" | "in" | "not_in" | "contains" | "not_contains" | "starts_with" | "ends_with" | "gt" | "gte" | "lt" | "lte" | "before" | "after" | "matches" | "exists" | "not_exists" | "semver_eq" | "semver_neq" | "semver_gt" | "semver_gte" | "semver_lt" | "semver_lte";
            /** @description Patterns that never match, and the reason. Only in responses; ignored in a change. */
            problem?: string;
            /** @description Values to compare with; empty for exists and not_exists. */
            valuesJson?: (string | number | boolean)[];
        };
        SegmentEstimate: {
            /**
             * Format: int64
             * @description Number of matching devices, as in a segment: null for conditions that only the app can evaluate, for conditions that take too many steps, and while telemetry is unavailable.
             */
            estimatedDevices: number | null;
        };
        SegmentReference: {
            /** Format: int64 */
            flagId: number;
            flagKey: string;
            /** Format: int64 */
            ruleId: number;
        };
        ServedHealth: {
            /**
             * Format: double
             * @description Percentage of devices without a crash; null without devices, and while telemetry is unavailable.
             */
            crashFreePercentage: number | null;
            /** @description Limit of crashRate. */
            crashLimit: components["schemas"]["HealthLimit"];
            /**
             * Format: double
             * @description Percentage of devices with a crash; null without devices, and while telemetry is unavailable.
             */
            crashRate: number | null;
            /**
             * Format: int64
             * @description Number of devices that reported on the release or failed to start it. The percentages are of these. Null while telemetry is unavailable.
             */
            devices: number | null;
            /** @description Limit of errorRate. */
            errorLimit: components["schemas"]["HealthLimit"];
            /**
             * Format: double
             * @description Percentage of devices with an error or a crash; null without devices, and while telemetry is unavailable.
             */
            errorRate: number | null;
            /** @description Release of updateId; null for the embedded update. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release; null for the embedded update.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null if updateId is null.
             */
            updateUuid: string | null;
        };
        ServedRelease: {
            /**
             * Format: date-time
             * @description Time of the device's first report on the release; null without reports.
             */
            firstSeenAt: string | null;
            /**
             * Format: date-time
             * @description Time of the device's last report on the release; null without reports.
             */
            lastSeenAt: string | null;
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: date-time
             * @description Time at which the device was first served the release.
             */
            servedAt: string;
            /** Format: int64 */
            updateId: number | null;
            /** Format: uuid */
            updateUuid: string | null;
        };
        Session: {
            /** @description IP address of the sign-in. */
            address: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Latest end of the session. It ends earlier after 12 hours without a request that a person caused.
             */
            expiresAt: string;
            /** Format: int64 */
            id: number;
            /** @description Whether this is the session of the request. */
            isCurrent: boolean;
            /**
             * Format: date-time
             * @description Time of the last request that a person caused, to the minute. Event streams and requests with Waft-Background: 1 do not count.
             */
            lastSeenAt: string;
            /**
             * @description Sign-in method of the session.
             * @enum {string}
             */
            method: "password" | "oidc" | "passkey" | "setup" | "invitation" | "terminal";
            /** @description User-Agent header of the sign-in; waft on NAME for a terminal. */
            userAgent: string;
        };
        SetUpBody: {
            email: string;
            name: string;
            /** @description Password of at least 12 characters. */
            password: string;
            /** @description Token: the part of the setup link after the #. */
            token: string;
        };
        StackFrame: {
            /**
             * Format: int64
             * @description Column, beginning at 1; 0 if the engine does not report it. For Hermes bytecode without a source map, the address plus 1.
             */
            column: number;
            /** @description Source lines around the line; empty without a source map. */
            context: string[];
            /**
             * Format: int64
             * @description Number of the first line of context; 0 without context.
             */
            contextLine: number;
            /** @description File name from the source map, or from the engine without a source map. Empty in the engine's own code. */
            file: string;
            /** @description Name of the function; empty if it is not known. */
            function: string;
            /** @description Whether the frame is the app's own code rather than code of a library or of the engine. */
            inApp: boolean;
            /**
             * Format: int64
             * @description Line, beginning at 1; 0 if the engine does not report it.
             */
            line: number;
            /** @description Whether the position comes from a source map. */
            symbolicated: boolean;
        };
        Stage: {
            /**
             * Format: int64
             * @description Minimum number of devices that sent a report with the release before the stage can end.
             */
            minDevices?: number;
            /**
             * Format: double
             * @description Minimum length of the stage in minutes, without pauses; fractions are allowed.
             */
            minDurationMinutes?: number;
            /**
             * Format: double
             * @description Percentage of devices that get the release from this stage on; higher than in the previous stage.
             */
            percentage: number;
            /** @description Thresholds that replace the policy's thresholds during this stage, field by field. */
            thresholds?: components["schemas"]["Thresholds"];
        };
        StageForecast: {
            /**
             * Format: int64
             * @description Number of active devices inside the rollout.
             */
            expectedDevices: number;
            /** Format: double */
            percentage: number;
            /**
             * Format: date-time
             * @description Start of the stage; null if it would never begin.
             */
            startsAt: string | null;
        };
        StartExecutionBody: {
            /**
             * Format: int64
             * @description ID of the policy to roll out by.
             */
            policyId: number;
            /**
             * Format: int64
             * @description ID of the release to roll out.
             */
            updateId: number;
        };
        StopBody: {
            /** @description Reason, shown in the timelines of rollouts and the audit log. */
            reason: string;
        };
        StreamOverview: {
            /** @description Releases with an open incident, and releases that Waft rolled back in the last hour, newest first. */
            broken: components["schemas"]["BrokenRelease"][];
            channel: string;
            /**
             * Format: double
             * @description Percentage of reportedDevices that did not crash on the served releases; null without devices, and while telemetry is unavailable.
             */
            crashFreePercentage: number | null;
            /**
             * Format: int64
             * @description Number of active devices. By its last report, each device counts once in the project. Null while telemetry is unavailable.
             */
            devices: number | null;
            /** @description Active devices by the release that they last reported, most devices first. Null while telemetry is unavailable. */
            distribution: components["schemas"]["StreamUpdate"][] | null;
            /**
             * Format: double
             * @description Percentage of reportedDevices with an error or a crash on the served releases; 0 without devices. Null while telemetry is unavailable.
             */
            errorRate: number | null;
            /**
             * Format: int64
             * @description Number of open incidents.
             */
            incidents: number;
            /** @description Whether the channel is paused. */
            isPaused: boolean;
            /**
             * Format: int64
             * @description ID of the newest enabled release of the channel's branch that some devices get, even if it is not for every device, and that is not a copy of release; null for none.
             */
            newestUpdateId: number | null;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: int64
             * @description Number of distinct devices whose manifest requests were refused; see GET /v1/ota/telemetry/refused for the reasons. Null while telemetry is unavailable.
             */
            refused: number | null;
            /** @description Newest enabled release for every device; null for none. */
            release: components["schemas"]["Update"] | null;
            /**
             * Format: int64
             * @description Number of devices that reported on the served releases or failed to start them. crashFreePercentage and errorRate are percentages of these. Null while telemetry is unavailable.
             */
            reportedDevices: number | null;
            /** @description Running or paused rollout; if there are several, the rollout of the newest release. Null for none. */
            rollout: components["schemas"]["RolloutExecution"] | null;
            runtimeVersion: string;
            /** @description Releases that devices of the target get now, newest first. */
            served: components["schemas"]["ServedHealth"][];
            /** @description Call that would start, advance or resume the rollout and waits for approval; null for none. */
            waitingCall: components["schemas"]["WaitingCall"] | null;
        };
        StreamUpdate: {
            /** Format: int64 */
            devices: number;
            /**
             * Format: double
             * @description Percentage of the target's devices.
             */
            percentage: number;
            /** @description Release of updateId; null if updateId is null. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release. Null for the embedded update, which includes all updates that are not releases of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null if updateId is null.
             */
            updateUuid: string | null;
        };
        TelemetryEvent: {
            /** @description Events in the app before an error or crash, oldest first; empty for launches and custom events. */
            breadcrumbs: components["schemas"]["Breadcrumb"][];
            channel: string;
            componentStack: string;
            /**
             * Format: int64
             * @description Number of occurrences.
             */
            count: number;
            /** @description Device ID, or a hash of it if the project's settings require that. */
            deviceId: string;
            errorName: string;
            /** @description Error group of an error or crash; null for other events. */
            fingerprint: string | null;
            /** @description Flag variations that were active at the time. */
            flagStates: {
                [key: string]: string;
            };
            /** @description ID of the event: the ID of its report and its position in the report. */
            id: string;
            isFatal: boolean;
            message: string;
            name: string;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /**
             * Format: date-time
             * @description Time of receipt by the server's clock.
             */
            receivedAt: string;
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            runtimeVersion: string;
            stackTrace: string;
            tags: {
                [key: string]: string;
            };
            /** @enum {string} */
            type: "js_error" | "crash" | "custom" | "app_launch";
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
        };
        TerminalLogin: {
            /** @description IP address of the terminal. */
            address: string;
            /** @description Code that the terminal shows. */
            code: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the sign-in ends.
             */
            expiresAt: string;
            /** @description Name that the machine gives itself. It is not verified. */
            name: string;
            /** @description Whether the terminal is in the network (IPv4 /24, IPv6 /48) of this request. */
            sameNetwork: boolean;
        };
        TerminalState: {
            /**
             * @description Whether the person has confirmed the sign-in.
             * @enum {string}
             */
            state: "pending" | "confirmed";
            /** @description User of the session; absent while the state is pending. */
            user?: components["schemas"]["User"];
        };
        Thresholds: {
            /**
             * @description Effect of a breach: hold the stage, or roll back the release. Default: auto-rollback.
             * @enum {string}
             */
            action?: "gate" | "auto-rollback";
            /**
             * Format: int64
             * @description Maximum number of votes that the networks of one allocation (IPv4 /16, IPv6 /32) have together, so that a rented allocation does not have thousands of votes. No decision depends on a single allocation. Fewer votes make an attack more expensive, but a defect that affects only one provider is found later. Default: 20.
             */
            allocationVotes?: number;
            /**
             * @description Baseline of the rates. limit: the thresholds. control: the thresholds and the control group, for the metrics with a threshold, or for both metrics if none has one. Default: limit.
             * @enum {string}
             */
            baseline?: "limit" | "control";
            /**
             * Format: double
             * @description Maximum percentage of devices with a crash.
             */
            crashRate?: number;
            /**
             * Format: double
             * @description Maximum percentage of devices with an error: 2.0 means 2%.
             */
            errorRate?: number;
            /** @description Thresholds for custom events. The list of a stage replaces the whole list of the policy, even if it is empty. */
            events?: components["schemas"]["EventLimit"][];
            /**
             * @description Method to evaluate a rate: a sequential test that is valid at any time, or the plain rate once minDevices is reached. Default: sequential.
             * @enum {string}
             */
            method?: "sequential" | "point";
            /**
             * Format: int64
             * @description Minimum number of networks (IPv4 /24, IPv6 /48) that must report before a rate can decide. Each network has one vote and no decision depends on a single network. With 1, Waft counts devices instead, so one sender of forged reports can decide. Default: 3.
             */
            minNetworks?: number;
            /**
             * @description First target of an automatic rollback: the release, or its linked flags. Default: release.
             * @enum {string}
             */
            rollbackScope?: "release" | "graduated";
        };
        TimedWait: {
            /**
             * @description start: start of the first stage. freeze: end of the policy's freeze window. stage: end of the stage's minimum time.
             * @enum {string}
             */
            kind: "start" | "freeze" | "stage";
            /** Format: date-time */
            until: string;
        };
        Timeseries: {
            /**
             * Format: int64
             * @description Length of a bucket in seconds.
             */
            bucketSeconds: number;
            /** @description Whether the counts are exact. If there are many devices, distinct devices are estimated to about 1.1%. */
            exact: boolean;
            /** @enum {string} */
            period: "1h" | "6h" | "24h" | "7d" | "14d" | "30d" | "90d";
            points: components["schemas"]["TimeseriesPoint"][];
            /** @description Points of the previous release; null without withPrevious, and if updateUuid is the first release of its branch, platform and runtime version. */
            previous: components["schemas"]["PreviousTimeseries"] | null;
            /** @description Activity of the whole period. A device counts once, even if it is in several buckets. */
            total: components["schemas"]["TimeseriesTotal"];
        };
        TimeseriesPoint: {
            /**
             * Format: int64
             * @description Number of crashes.
             */
            crashes: number;
            /**
             * Format: double
             * @description Percentage of devices without a crash.
             */
            crashFreePercentage: number;
            /**
             * Format: double
             * @description Percentage of devices with a crash.
             */
            crashRate: number;
            /**
             * Format: int64
             * @description Number of distinct devices that sent a report.
             */
            devices: number;
            /**
             * Format: double
             * @description Percentage of devices with a js_error or crash.
             */
            errorRate: number;
            /**
             * Format: int64
             * @description Number of errors (js_error).
             */
            errors: number;
            /**
             * Format: int64
             * @description Number of app launches.
             */
            launches: number;
            /**
             * Format: date-time
             * @description Start of the bucket.
             */
            time: string;
        };
        TimeseriesTotal: {
            /**
             * Format: int64
             * @description Number of these devices with a crash.
             */
            crashedDevices: number;
            /**
             * Format: int64
             * @description Number of crashes.
             */
            crashes: number;
            /**
             * Format: double
             * @description Percentage of devices without a crash; null without devices.
             */
            crashFreePercentage: number | null;
            /**
             * Format: double
             * @description Percentage of devices with a crash; null without devices.
             */
            crashRate: number | null;
            /**
             * Format: int64
             * @description Number of distinct devices that sent a report or failed to start the release. The percentages are of these.
             */
            devices: number;
            /**
             * Format: int64
             * @description Number of these devices with a js_error or crash.
             */
            erroredDevices: number;
            /**
             * Format: double
             * @description Percentage of devices with a js_error or crash; null without devices.
             */
            errorRate: number | null;
            /**
             * Format: int64
             * @description Number of errors (js_error).
             */
            errors: number;
            /**
             * Format: int64
             * @description Number of app launches.
             */
            launches: number;
        };
        TrustedPublisher: {
            /** @description Only audience that a token may be issued for. */
            audience: string;
            /** @description Names of the only channels that the keys may change; null for all. */
            channels: string[] | null;
            /** @description Claims that a token must have. */
            claims: {
                [key: string]: string;
            };
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            /** @description OpenID Connect issuer of the CI system. */
            issuer: string;
            /**
             * @description Role of the keys.
             * @enum {string}
             */
            role: "viewer" | "editor";
        };
        Update: {
            /** Format: int64 */
            assetCount: number;
            branchName: string;
            /**
             * Format: int64
             * @description ID of the build; null for a rollback to the embedded update.
             */
            buildId: number | null;
            /** @description Channel that the release was published to; null if it was published to a branch directly. */
            channel: string | null;
            /**
             * Format: date-time
             * @description Commit time in the update protocol, strictly increasing over the project's releases.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description Time at which the release was disabled; null for an enabled release.
             */
            disabledAt: string | null;
            /** @description Person, API key or part of Waft that disabled the release; null for an enabled release. */
            disabledBy: components["schemas"]["Actor"] | null;
            /** @description Reason why the release was disabled; empty if none was given or the release is enabled. */
            disabledReason: string;
            /** @description Author of the commit; empty if the upload did not name them. */
            gitAuthor: string;
            gitBranch: string;
            gitCommitHash: string;
            /**
             * Format: uuid
             * @description ID that the platforms of one publish share.
             */
            groupId: string;
            /** Format: int64 */
            id: number;
            /** @description Whether devices apply the release immediately rather than at their next cold start. */
            isCritical: boolean;
            /** @description Whether devices get the release. */
            isEnabled: boolean;
            /** @enum {string} */
            kind: "update" | "rollback_to_embedded";
            /** @description Feature flags that the release turns on or off while it is out. */
            linkedFlags: components["schemas"]["LinkedFlag"][];
            /** @enum {string} */
            platform: "ios" | "android";
            releaseMessage: string;
            /**
             * Format: int64
             * @description ID of the release that this release repeats; otherwise null.
             */
            republishedFromId: number | null;
            /** @description Release notes of the release that this release repeats; otherwise null. */
            republishedFromMessage: string | null;
            /** @description IDs of the releases that this release rolls back. */
            rolledBackUpdateIds: number[];
            /**
             * Format: int64
             * @description ID of the release's running or paused rollout; otherwise null.
             */
            rolloutExecutionId: number | null;
            /**
             * Format: double
             * @description Percentage of devices that get the release, 0 to 100.
             */
            rolloutPercentage: number;
            runtimeVersion: string;
            /** Format: int64 */
            sizeBytes: number;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: int64
             * @description Same value as id.
             */
            updateId: number;
            /**
             * Format: uuid
             * @description Update ID of the release.
             */
            updateUuid: string;
        };
        UpdateDay: {
            /** Format: date */
            date: string;
            /** Format: int64 */
            devices: number;
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release; null for the embedded update and for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
        };
        UpdateDevices: {
            branchName: string | null;
            /** @description Channel that the release was published to; null if it was published to a branch directly. */
            channel: string | null;
            /** Format: int64 */
            devices: number;
            /**
             * Format: double
             * @description Percentage of totalActiveDevices.
             */
            percentage: number;
            /** @enum {string} */
            platform: "ios" | "android" | "web";
            /** @description Release of updateUuid; null for the embedded update and for an update that is not a release of the project. */
            release: components["schemas"]["ReleaseName"] | null;
            runtimeVersion: string;
            /**
             * Format: int64
             * @description ID of the release; null for the embedded update and for an update that is not a release of the project.
             */
            updateId: number | null;
            /**
             * Format: uuid
             * @description Update ID; null for the embedded update.
             */
            updateUuid: string | null;
        };
        UpdatePatch: {
            /** @description Release of baseUpdateId; null if baseUpdateId is null. */
            baseRelease: components["schemas"]["ReleaseName"] | null;
            /**
             * Format: int64
             * @description ID of the release whose bundle the patch starts from; null for an update inside a binary.
             */
            baseUpdateId: number | null;
            /**
             * Format: uuid
             * @description ID of the update whose bundle the patch starts from. Devices that run another update with the same bundle also get the patch.
             */
            baseUpdateUuid: string;
            /**
             * Format: int64
             * @description Size of the smallest form in which devices download the whole bundle.
             */
            compressedBytes: number;
            /**
             * Format: int64
             * @description Time that it took to create and check the patch, in milliseconds.
             */
            durationMs: number;
            /**
             * Format: int64
             * @description Size of the release's bundle.
             */
            fullBytes: number;
            /** @description Reason why the patch is skipped. */
            reason: string;
            /**
             * Format: int64
             * @description Size of the patch; 0 without a patch.
             */
            sizeBytes: number;
            /**
             * @description Status of the patch: pending while Waft creates it. Devices get the whole bundle unless the patch is offered.
             * @enum {string}
             */
            status: "pending" | "offered" | "skipped";
        };
        User: {
            email: string;
            /** Format: int64 */
            id: number;
            /** @description Whether the user is an owner, who is an admin of every project. */
            isOwner: boolean;
            name: string;
        };
        UserOverride: {
            /** @description Name of the branch that the user's devices get. */
            branchName: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: int64 */
            id: number;
            note: string;
            /** @description User ID that the app sends as client-user-id. */
            userId: string;
        };
        Variation: {
            /** Format: int64 */
            id: number;
            name: string;
            /** @description Value of the variation, as a string: true, 42, {"a":1}. */
            value: string;
        };
        VariationBody: {
            /**
             * Format: int64
             * @description ID of the variation that this one replaces, in a change. By default, the variation with the same value or else with the same name.
             */
            id?: number;
            name: string;
            /** @description Value of the variation, as a string. */
            value: string;
        };
        VariationEvaluations: {
            /** Format: int64 */
            count: number;
            /** @description Name of the variation; empty for any other value. */
            name: string;
            /**
             * Format: double
             * @description Percentage of all evaluations.
             */
            percentage: number;
            /** @description Value as a string; (other) for all values that are not a variation of the flag. */
            value: string;
        };
        VariationHealth: {
            channel: string;
            /** Format: double */
            crashFreePercentage: number;
            /** Format: int64 */
            devices: number;
            /** Format: double */
            errorRate: number;
            /**
             * Format: double
             * @description Percentage points by which errorRate is above the flag's other variations on the channel; 0 without other variations.
             */
            errorRateDelta: number;
            /** @description Name of the variation; empty for a value that is not a variation of the flag. */
            name: string;
            /**
             * @description Status of the variation. incident: evidence shows that fewer than 99% of devices are crash-free. degraded: fewer than 99.5% are, or significantly more of them have errors than under the other variations.
             * @enum {string}
             */
            status: "healthy" | "degraded" | "incident";
            /** @description Value in the devices' flagStates. */
            variation: string;
        };
        Verdict: {
            /** @description Comment for other members and the audit log. */
            comment?: string;
        };
        VersionCondition: {
            /** @enum {string} */
            operator: "gte" | "gt" | "lte" | "lt" | "eq";
            value: string;
        };
        Votes: {
            /**
             * Format: int64
             * @description Number of allocations (IPv4 /16, IPv6 /32) that these networks belong to; 0 in older records.
             */
            allocations: number;
            /**
             * Format: double
             * @description Sum of the votes on crashes, 0 to weight.
             */
            crashed: number;
            /**
             * Format: double
             * @description Sum of the votes on errors, 0 to weight.
             */
            errored: number;
            /**
             * Format: int64
             * @description Number of networks with at least one counted device.
             */
            networks: number;
            /**
             * Format: int64
             * @description Total weight of the networks. Each network has weight 1, but the networks of one allocation have at most the policy's allocationVotes together.
             */
            weight: number;
        };
        WaitingCall: {
            /** @enum {string} */
            action: "rollout.start" | "rollout.advance" | "rollout.resume";
            /** Format: int64 */
            approvalId: number;
            /** @description Effect of the call, as a phrase. */
            summary: string;
        };
        Webhook: {
            /** Format: date-time */
            createdAt: string;
            description: string;
            /** @description Reason why Waft disabled the webhook; otherwise empty. */
            disabledReason: string;
            /** @description Names of actions as in the audit log, or * for all. */
            events: string[];
            /**
             * Format: date-time
             * @description Time of the first failed attempt since the last success; null if none failed. After five days of failures, Waft disables the webhook.
             */
            failingSince: string | null;
            /**
             * @description Format of the messages.
             * @enum {string}
             */
            format: "standard" | "slack" | "teams";
            /** Format: int64 */
            id: number;
            /** @description Whether the webhook gets messages. */
            isActive: boolean;
            /** @description Newest delivery; null before the first delivery. */
            lastDelivery: components["schemas"]["WebhookDelivery"] | null;
            /**
             * Format: date-time
             * @description Time until which the secret from before the last rotation also signs; null if only one secret signs.
             */
            oldSecretUntil: string | null;
            /** @description End of the secret, to recognise it by. */
            secretHint: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description URL that messages are posted to. For callers who are not admins, … replaces its secrets. */
            url: string;
        };
        WebhookDelivery: {
            /** @description Attempts, oldest first. */
            attempts: components["schemas"]["DeliveryAttempt"][];
            /** Format: date-time */
            createdAt: string;
            /** @description Action, or webhook.test. */
            event: string;
            /** Format: int64 */
            id: number;
            /** @description Value of the header webhook-id, the same in every attempt and redelivery. */
            messageId: string;
            /**
             * Format: date-time
             * @description Time of the next attempt; null if no attempt follows.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description ID of the delivery whose message is sent again; null for the first delivery.
             */
            redeliveryOf: number | null;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed" | "cancelled";
            /** @description Record that the message is about, as it is now; null in lastDelivery of a webhook, and if the record is unknown. */
            subject: components["schemas"]["AuditSubject"] | null;
            /** @description ID of the Temporal workflow that sends the message. */
            workflowId: string;
            /** @description URL of the workflow in Temporal's web UI. Only listWebhookDeliveries returns it, and only to editors and admins, if the installation sets WAFT_TEMPORAL_UI_URL; otherwise null. */
            workflowUrl: string | null;
        };
        WebhookEvent: {
            /** @description Description of the event. */
            description: string;
            /** @description Kind of record that the event is about. */
            entityType: string;
            /** @description Action, as in the audit log. */
            event: string;
            /** @description Whether a webhook can subscribe to the event; false for webhook.test. */
            subscribable: boolean;
        };
        WebhookMessage: {
            data: components["schemas"]["WebhookMessageData"];
            /**
             * Format: date-time
             * @description Time of the event.
             */
            timestamp: string;
            /** @description Name of the event. */
            type: string;
        };
        WebhookMessageData: {
            action: string;
            actorId: string;
            actorName: string;
            /** @enum {string} */
            actorType: "api_key" | "user" | "system";
            /** Format: date-time */
            createdAt: string;
            /** @description Details of the change. */
            details: {
                [key: string]: unknown;
            };
            /** @description ID of the record that was changed. */
            entityId: string;
            /** @description Kind of record that was changed. */
            entityType: string;
            /**
             * Format: int64
             * @description ID of the audit log entry, which grows from message to message.
             */
            id: number;
            /** @description Names of details that were left out because the message would be too large; ["*"] if all were. */
            omittedDetails?: string[];
            projectSlug: string;
            /** @description X-Request-Id of the call; empty for changes that Waft made on its own. */
            requestId: string;
        };
        WebhookRecovery: {
            /**
             * Format: int64
             * @description Number of messages that are sent again.
             */
            redelivered: number;
            /**
             * Format: int64
             * @description Number of failed messages that are not sent again yet; call again to send them.
             */
            remaining: number;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    deleteIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AcceptBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    logIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LogInBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoginMethods"];
                };
            };
        };
    };
    getOwnLoginMethods: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OwnLoginMethods"];
                };
            };
        };
    };
    beginOidc: {
        parameters: {
            query?: {
                /** @description Path under /app/ that the browser opens at the end. */
                returnTo?: string;
            };
            header?: never;
            path: {
                /** @description ID of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the provider. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    finishOidc: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
            };
            header?: never;
            path: {
                /** @description ID of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Redirect to the page that the sign-in was begun for. */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    linkIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the identity provider. */
                provider: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkBegun"];
                };
            };
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"][];
                };
            };
        };
    };
    deletePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchPasskey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPasskeyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    beginPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    finishPasskeyLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyLoginBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    beginPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasskeyOptions"];
                };
            };
        };
    };
    finishPasskeyRegistration: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AddPasskeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChangePasswordBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    forgotPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ForgotPasswordBody"];
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResetPasswordBody"];
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"][];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    setUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SetUpBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Login"];
                };
            };
        };
    };
    beginTerminalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BeginTerminalBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunTerminalLogin"];
                };
            };
        };
    };
    getTerminalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code that the terminal shows, with or without its hyphen. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TerminalLogin"];
                };
            };
        };
    };
    confirmTerminalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code that the terminal shows, with or without its hyphen. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    refuseTerminalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Code that the terminal shows, with or without its hyphen. */
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    pollTerminalLogin: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PollTerminalBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TerminalState"];
                };
            };
        };
    };
    exchangeToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExchangeTokenBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExchangedToken"];
                };
            };
        };
    };
    getMe: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Me"];
                };
            };
        };
    };
    patchMe: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMeBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description ID of a user, to list only keys that this user created. */
                madeBy?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Whether to list only the working short-lived keys of trusted publishers, which are otherwise left out. */
                shortLived?: boolean;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["APIKey"][];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateAPIKeyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedAPIKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeApiKeys: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RevokeAPIKeysBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RevokedAPIKeys"];
                };
            };
        };
    };
    listApprovals: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Only approvals with this status. */
                status?: "pending" | "approved" | "carried_out" | "stale" | "failed" | "rejected" | "expired";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApprovalSummary"][];
                };
            };
        };
    };
    getApproval: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    approve: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Verdict"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    rejectApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["Verdict"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    withdrawApproval: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Approval"];
                };
            };
        };
    };
    getAsset: {
        parameters: {
            query: {
                /** @description Slug or UUID of the project. */
                project: string;
            };
            header?: never;
            path: {
                /** @description MD5 of the file in lower-case hex. */
                md5: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** @description The requested part of the file. */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description A patch in the format of bsdiff 4 from the launch asset that the device runs. It is returned for requests for a launch asset with `A-IM: bsdiff` and `Expo-Current-Update-ID`. The response has `IM: bsdiff`, and the ID in `Expo-Base-Update-ID`. */
            226: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The file is in the bucket; the URL in Location is valid for some minutes. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The client has the current file. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    headAsset: {
        parameters: {
            query: {
                /** @description Slug or UUID of the project. */
                project: string;
            };
            header?: never;
            path: {
                /** @description MD5 of the file in lower-case hex. */
                md5: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file exists. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAttention: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Attention"];
                };
            };
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                /** @description Action of the changes to list. */
                action?: string;
                /** @description The actorId or actorName whose changes to list. */
                actor?: string;
                /** @description Entry ID; only entries with a lower ID are returned. */
                before?: number;
                /** @description Whether to return the number of entries on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort, from the Link header of the previous page. */
                cursor?: string;
                /** @description ID of the record whose changes to list. */
                entity_id?: string;
                /** @description Kind of record whose changes to list. */
                entity_type?: string;
                /** @description Start of the period; changes at this time are included. */
                from?: string;
                /** @description Maximum number of entries to return. */
                limit?: number;
                /** @description Field of the entry to sort by, with a leading - for descending order. */
                sort?: string;
                /** @description End of the period; changes at this time are excluded. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditEntry"][];
                };
            };
        };
    };
    exportAuditLog: {
        parameters: {
            query?: {
                /** @description Action of the changes to list. */
                action?: string;
                /** @description The actorId or actorName whose changes to list. */
                actor?: string;
                /** @description ID of the record whose changes to list. */
                entity_id?: string;
                /** @description Kind of record whose changes to list. */
                entity_type?: string;
                /** @description Format: one JSON object per line, or CSV with a header. */
                format?: "jsonl" | "csv";
                /** @description Start of the period; changes at this time are included. */
                from?: string;
                /** @description End of the period; changes at this time are excluded. */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                    "text/csv": string;
                };
            };
        };
    };
    listBranches: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Branch"][];
                };
            };
        };
    };
    createBranch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateBranchBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Branch"];
                };
            };
        };
    };
    deleteBranch: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listBuilds: {
        parameters: {
            query?: {
                /** @description Whether to list the files of each build; true by default. */
                assets?: "true" | "false";
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Platform of the builds. */
                platform?: "ios" | "android";
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"][];
                };
            };
        };
    };
    uploadBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedBuild"];
                "multipart/form-data": components["schemas"]["BuildForm"];
            };
        };
        responses: {
            /** @description The build. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
        };
    };
    getBuild: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
        };
    };
    deleteBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    publishBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishBuildBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewPublishBuild: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishBuildBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    putSourceMap: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The build. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Build"];
                };
            };
        };
    };
    deleteSourceMap: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID or UUID of the build. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    checkFiles: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CheckFilesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MissingFiles"];
                };
            };
        };
    };
    putFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the whole file in base64url without padding, or in hex. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description The part is stored, or the whole file was already stored. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUpload"];
                };
            };
            /** @description The whole file is stored. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileUpload"];
                };
            };
        };
    };
    headFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description SHA-256 of the whole file in base64url without padding, or in hex. */
                sha256: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description At least a part of the file has arrived. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listChannels: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"][];
                };
            };
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateChannelBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    getChannel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchChannelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewDeleteChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    previewChannel: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the record, with a slash written as %2F. */
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchChannelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    getCodeSigning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSigning"];
                };
            };
            /** @description The project does not have a code signing key. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    putCodeSigning: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutSigningBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CodeSigning"];
                };
            };
        };
    };
    deleteCodeSigning: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listContexts: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Kind of the contexts. */
                kind?: "user" | "device" | "organization" | "service" | "environment";
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description String that the key, the name or an attribute value must contain, ignoring case. Without sort, exact matches come first, then names that begin with the string, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"][];
                };
            };
        };
    };
    createContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateContextBody"];
            };
        };
        responses: {
            /** @description The existing context after the merge. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
        };
    };
    getContext: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Context"];
                };
            };
        };
    };
    deleteContext: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listContextAttributes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ContextAttribute"][];
                };
            };
        };
    };
    listContextKinds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": string[];
                };
            };
        };
    };
    listDevices: {
        parameters: {
            query?: {
                /** @description Channel in the device's last report. */
                channel?: string;
                /** @description Whether to return the number of devices on all pages in the header X-Total-Count. The header is absent if counting would take longer than two seconds. */
                count?: boolean;
                /** @description Cursor for the page, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of devices to return. */
                limit?: number;
                /** @description String that the device ID must contain, ignoring case. If IDs are hashed: the hash, or the whole ID. */
                search?: string;
                /** @description Field to sort by, with a leading - for descending order: channel, crashes, deviceId, errors, firstSeenAt, lastSeenAt, platform or runtimeVersion. */
                sort?: string;
                /** @description Update ID of the release in the device's last report. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Device"][];
                };
            };
        };
    };
    getDevice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Device ID as the device sends it, in any letter case, or as lists show it. */
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeviceDetail"];
                };
            };
        };
    };
    eraseDeviceData: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Device ID as the device sends it, in any letter case. */
                deviceId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The data will be deleted. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The data is deleted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getEmergencyStop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmergencyStop"];
                };
            };
        };
    };
    stopProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmergencyStop"];
                };
            };
        };
    };
    resumeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewStopProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StopBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    previewResumeProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    getFlagDefinitions: {
        parameters: {
            query?: {
                /** @description Name of the device's channel. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Flags of the channel. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        disabledFlags: {
                            [key: string]: unknown;
                        }[];
                        flags: {
                            [key: string]: unknown;
                        }[];
                        updates: {
                            [key: string]: unknown;
                        }[];
                        /** @description Version, which changes exactly when the flags change. */
                        version: string;
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            /** @description The client has the current definitions. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    reportFlagEvaluations: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EvaluationReport"];
            };
        };
        responses: {
            /** @description The counts are durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    evaluateFlags: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkEvaluation"];
            };
        };
        responses: {
            /** @description Flags by key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EvaluatedFlags"];
                };
            };
        };
    };
    streamFlags: {
        parameters: {
            query?: {
                /** @description Name of the device's channel. */
                channel?: string;
                /** @description Whether to get only the versions of the definitions (true or false). */
                definitions?: string;
                /** @description Stable ID of the device; required unless definitions is true. */
                deviceId?: string;
                /** @description Platform: ios, android or web. */
                platform?: string;
                /** @description Runtime version of the app. */
                runtimeVersion?: string;
                /** @description Key that decides shares and user lists; the deviceId if absent or empty. */
                targetingKey?: string;
                /** @description ID of the running update. */
                updateId?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listFlags: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description State of the flags. incident and degraded: the health status over 7 days. stale: unused, which means older than 30 days and not evaluated for 30 days. */
                state?: "stale" | "incident" | "degraded";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"][];
                };
            };
        };
    };
    createFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFlagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getFlag: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
        };
    };
    saveFlag: {
        parameters: {
            query?: never;
            header: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match": string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    deleteFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    copyFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CopyFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewCopyFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CopyFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagPreview"];
                };
            };
        };
    };
    previewDeleteFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    patchFlagEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Name of the channel, with a slash written as %2F. */
                channelName: string;
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchEnvironmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagEnvironment"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewPatchFlagEnvironment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description Name of the channel, with a slash written as %2F. */
                channelName: string;
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchEnvironmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagPreview"];
                };
            };
        };
    };
    getFlagEvaluations: {
        parameters: {
            query?: {
                /** @description Number of days in the window, including today. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagEvaluations"];
                };
            };
        };
    };
    explainFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagExplanation"];
                };
            };
        };
    };
    getFlagHealth: {
        parameters: {
            query?: {
                /** @description Number of days in the window, including today. */
                days?: number;
            };
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagHealth"];
                };
            };
        };
    };
    previewSaveFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SaveFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagPreview"];
                };
            };
        };
    };
    createFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateRuleBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagRule"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    deleteFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
                /** @description ID of the rule. */
                ruleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchFlagRule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
                /** @description ID of the rule. */
                ruleId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchRuleBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagRule"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    orderFlagRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["OrderRulesBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Flag"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    listFlagSchedules: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Only changes with this status. */
                status?: "pending_approval" | "scheduled" | "applied" | "cancelled" | "rejected" | "unapproved" | "stale" | "failed";
            };
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagSchedule"][];
                };
            };
        };
    };
    scheduleFlag: {
        parameters: {
            query?: never;
            header: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match": string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ScheduleFlagBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagSchedule"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    cancelFlagSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
                /** @description ID of the scheduled change. */
                scheduleId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchVariation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
                /** @description ID of the variation. */
                variationId: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchVariationBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Variation"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    explainFlags: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExplainBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagExplanation"][];
                };
            };
        };
    };
    previewCreateFlag: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateFlagBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagPreview"];
                };
            };
        };
    };
    previewGarbage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Garbage"];
                };
            };
        };
    };
    collectGarbage: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Garbage"];
                };
            };
        };
    };
    reportHealth: {
        parameters: {
            query?: never;
            header?: {
                /** @description Name of the report, unique among the reports of its device, at most 255 characters. If several reports have the same name, only the first one counts. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["HealthReport"];
            };
        };
        responses: {
            /** @description The report is durable. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getAdoption: {
        parameters: {
            query?: {
                /** @description Number of days in the window, including today. */
                days?: 7 | 14 | 30 | 90;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Adoption"];
                };
            };
        };
    };
    listReleaseFigures: {
        parameters: {
            query: {
                /** @description IDs of the releases, separated by commas, at most 250. */
                updateIds: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseFigures"][];
                };
            };
        };
    };
    listInvitations: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Invitation"][];
                };
            };
        };
    };
    createInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateInvitationBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedInvitation"];
                };
            };
        };
    };
    revokeInvitation: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    getManifest: {
        parameters: {
            query?: {
                /** @description Channel to check, for clients that cannot send the header. */
                channel?: string;
            };
            header?: never;
            path: {
                /** @description Slug or UUID of the project. */
                projectSlug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A manifest, or a directive: roll back to the embedded update, or no update. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/expo+json": {
                        [key: string]: unknown;
                    };
                    "application/json": {
                        [key: string]: unknown;
                    };
                    "multipart/mixed": string;
                };
            };
            /** @description No update is available, for clients that do not accept multipart. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"][];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchMember: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchMemberBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    listObservedEvents: {
        parameters: {
            query?: {
                /** @description Channel of the events. */
                channel?: string;
                /** @description Whether to return the number of events on all pages in the header X-Total-Count. The header is absent if more than a million events match, or if counting them would take longer than two seconds. */
                count?: boolean;
                /** @description Cursor for the page, from the Link header of the previous page. */
                cursor?: string;
                /** @description ID of the device. */
                deviceId?: string;
                /** @description Number of the page, counted from the cursor if there is one. */
                page?: number;
                /** @description Platform of the events. */
                platform?: "ios" | "android" | "web";
                /** @description String that the message, name or error name must contain, ignoring case. */
                search?: string;
                /** @description Order of the events: newest first, or oldest first. */
                sort?: "-receivedAt" | "receivedAt";
                /** @description Type of the events. */
                type?: "js_error" | "crash" | "custom";
                /** @description Update ID of the release that the devices ran. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryEvent"][];
                };
            };
        };
    };
    getObservedEvent: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the event. */
                eventId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventDetail"];
                };
            };
        };
    };
    listErrorGroups: {
        parameters: {
            query?: {
                /** @description Assignee of the groups: a user ID, me for the signed-in person, or none. */
                assignee?: string;
                /** @description Channel of the events. */
                channel?: string;
                /** @description Whether to return the number of groups on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the page, from the Link header of the previous page. */
                cursor?: string;
                /** @description Start of the window; by default one day before its end. */
                from?: string;
                /** @description Maximum number of groups to return. */
                limit?: number;
                /** @description Platform of the events. */
                platform?: "ios" | "android" | "web";
                /** @description String that the error name, message or culprit must contain, ignoring case. */
                search?: string;
                /** @description Field to sort by, with a leading - for descending order: devices, errorName, events, firstSeenAt or lastSeenAt. Without it, the groups of most devices come first. */
                sort?: string;
                /** @description State of the groups. */
                state?: "new" | "regressed" | "ongoing";
                /** @description Status of the groups. */
                status?: "open" | "resolved" | "regressed";
                /** @description End of the window; now by default. */
                to?: string;
                /** @description Type of the groups. */
                type?: "js_error" | "crash";
                /** @description Update ID of the release that the devices ran. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroup"][];
                };
            };
        };
    };
    getErrorGroup: {
        parameters: {
            query?: {
                /** @description Start of the window; by default one day before its end. */
                from?: string;
                /** @description End of the window; now by default. */
                to?: string;
            };
            header?: never;
            path: {
                /** @description Fingerprint of the group. */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ErrorGroupDetail"];
                };
            };
        };
    };
    patchErrorGroup: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Fingerprint of the group. */
                fingerprint: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchGroupBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedErrorGroup"];
                };
            };
        };
    };
    getOverview: {
        parameters: {
            query?: {
                /** @description Channel of the targets; every channel by default. */
                channel?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StreamOverview"][];
                };
            };
        };
    };
    listProjects: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"][];
                };
            };
        };
    };
    createProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateProjectBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Project"];
                };
            };
        };
    };
    deleteProject: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description Slug or UUID of the project. */
                slug: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    resolve: {
        parameters: {
            query: {
                /** @description Rollout percentage to assume for the release updateId. */
                atPercentage?: number;
                /** @description Name of the device's channel. */
                channel: string;
                /** @description ID of the update that the device runs; none for the embedded update. */
                currentUpdateUuid?: string;
                /** @description Device ID, which places the device inside or outside each percentage. Without an ID, it is inside only at 100%. */
                deviceId?: string;
                platform: "ios" | "android";
                runtimeVersion: string;
                /** @description ID of the release that atPercentage applies to. */
                updateId?: number;
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Resolution"];
                };
            };
        };
    };
    rollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewRollBack: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listRolloutExecutions: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Channel that the releases were published to. */
                channel?: string;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description ID of the policy. */
                policyId?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Status of the rollouts. */
                status?: "running" | "paused" | "completed" | "rolled_back" | "cancelled";
                /** @description ID of the release. */
                updateId?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"][];
                };
            };
        };
    };
    startRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartExecutionBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getRolloutExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    advanceRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewAdvanceRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    cancelRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewCancelRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listRolloutLooks: {
        parameters: {
            query?: {
                /** @description Maximum number of observations to return. */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutLook"][];
                };
            };
        };
    };
    pauseRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewPauseRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    resumeRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewResumeRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CommandReason"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    rollbackRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutExecution"];
                };
            };
        };
    };
    previewRollbackRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RollbackExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    streamRolloutExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the rollout, or its workflowId with a slash written as %2F. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    previewStartRolloutExecution: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["StartExecutionBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listRolloutPolicies: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"][];
                };
            };
        };
    };
    createRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreatePolicyBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    getRolloutPolicy: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    deleteRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchPolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RolloutPolicy"];
                };
            };
        };
    };
    previewRolloutPolicy: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PreviewPolicyBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PolicyForecast"];
                };
            };
        };
    };
    listSegments: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"][];
                };
            };
        };
    };
    createSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateSegmentBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    getSegment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
        };
    };
    deleteSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSegmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Segment"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSegmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    estimateSegment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EstimateSegmentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SegmentEstimate"];
                };
            };
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSettings"];
                };
            };
        };
    };
    patchSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchSettingsBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectSettings"];
                };
            };
        };
    };
    streamProject: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
        };
    };
    listTelemetryEvents: {
        parameters: {
            query?: {
                /** @description Channel of the events. */
                channel?: string;
                /** @description Whether to return the number of events on all pages in the header X-Total-Count. The header is absent if more than a million events match, or if counting them would take longer than two seconds. */
                count?: boolean;
                /** @description Cursor for the page, from the Link header of the previous page. */
                cursor?: string;
                /** @description ID of the device. */
                deviceId?: string;
                /** @description Maximum number of events to return. */
                limit?: number;
                /** @description Platform of the events. */
                platform?: "ios" | "android" | "web";
                /** @description String that the message, name or error name must contain, ignoring case. */
                search?: string;
                /** @description Order of the events: newest first, or oldest first. */
                sort?: "-receivedAt" | "receivedAt";
                /** @description Type of the events. */
                type?: "js_error" | "crash" | "custom" | "app_launch";
                /** @description Update ID of the release that the devices ran. */
                updateUuid?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TelemetryEvent"][];
                };
            };
        };
    };
    listFlagImpacts: {
        parameters: {
            query?: {
                /** @description Name of the devices' channel. */
                channel?: string;
                /** @description Number of days in the window, including today. */
                days?: number;
                /** @description Key of the flag. */
                flagKey?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FlagImpact"][];
                };
            };
        };
    };
    listIncidents: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Status of the incidents. */
                status?: "open" | "resolved" | "closed";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"][];
                };
            };
        };
    };
    getIncident: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    patchIncident: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchIncidentBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Incident"];
                };
            };
        };
    };
    listRefused: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RefusedRequests"][];
                };
            };
        };
    };
    getTimeseries: {
        parameters: {
            query?: {
                /** @description Channel of the devices. */
                channel?: string;
                /** @description Length of the period. */
                period?: "1h" | "6h" | "24h" | "7d" | "14d" | "30d" | "90d";
                /** @description Platform of the devices. */
                platform?: "ios" | "android" | "web";
                /** @description Runtime version of the devices. */
                runtimeVersion?: string;
                /** @description Update ID of the release that the devices ran. */
                updateUuid?: string;
                /** @description Whether to return the points of the previous release too: the release before updateUuid on its branch, platform and runtime version. */
                withPrevious?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Timeseries"];
                };
            };
        };
    };
    listTrustedPublishers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedPublisher"][];
                };
            };
        };
    };
    putTrustedPublishers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PutPublisherBody"][];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrustedPublisher"][];
                };
            };
        };
    };
    listUpdates: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Branch of the releases. */
                branch?: string;
                /** @description Channel that the releases were published to. */
                channel?: string;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description ID of a flag that the releases link. */
                flagId?: number;
                /** @description groupId of the publish. */
                groupId?: string;
                /** @description Whether the releases are enabled. */
                isEnabled?: "true" | "false";
                /** @description Kind of the releases. */
                kind?: "update" | "rollback_to_embedded";
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description ID of a release. The releases differ from it in a file or in the client configuration, so copies of it are left out. */
                otherFilesThan?: number;
                /** @description Platform of the releases. */
                platform?: "ios" | "android";
                /** @description Runtime version of the releases. */
                runtimeVersion?: string;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Whether a page that would end within a group also has the rest of the group, up to 50 releases more than limit. Releases of a group are together in the default order. */
                wholeGroups?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"][];
                };
            };
        };
    };
    createUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUpdateBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    getUpdate: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
        };
    };
    deleteUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchUpdateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Update"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewDeleteUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listUpdateHistory: {
        parameters: {
            query?: {
                /** @description Entry ID; only entries with a higher ID are returned. The Link header of a page contains the ID for the next page. */
                after?: number;
                /** @description Entry ID; only entries with a lower ID are returned. */
                before?: number;
                /** @description Whether to return the number of entries on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of entries to return. */
                limit?: number;
                /** @description Field to sort by: createdAt, or -createdAt for the newest entries first. */
                sort?: string;
            };
            header?: never;
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HistoryEntry"][];
                };
            };
        };
    };
    listUpdatePatches: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UpdatePatch"][];
                };
            };
        };
    };
    previewUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchUpdateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    republishUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RepublishBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Republished"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    previewRepublishUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID or updateUuid of the release. */
                id: number | string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RepublishBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    previewCreateUpdate: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateUpdateBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listUserOverrides: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOverride"][];
                };
            };
        };
    };
    createUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOverrideBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserOverride"];
                };
            };
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
        };
    };
    deleteUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The call waits for approvals and has not changed anything. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PendingApproval"];
                };
            };
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewDeleteUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    previewCreateUserOverride: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateOverrideBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangePreview"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Search words. Each must begin a word in the names, texts or versions of the record. The word 2.4 finds 2.4.1 and does not find 2.40. A UUID is found by at least its first eight characters, and a release by its number as #17. Without sort, exact matches come first, then names that begin with the text, then the others. */
                search?: string;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"][];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhookBody"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    patchWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description ETags of the record, separated by commas. The request fails with precondition_failed if the record has a different ETag by now. * stands for any ETag. Weak ETags never match. */
                "If-Match"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatchWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Record ID; only records with a lower ID are returned. The Link header of a page contains the ID for the next page. */
                before?: number;
                /** @description Whether to return the number of records on all pages in the header X-Total-Count. */
                count?: boolean;
                /** @description Cursor for the next page of a list with sort or search, from the Link header of the previous page. */
                cursor?: string;
                /** @description Event of the deliveries. */
                event?: string;
                /** @description Maximum number of records to return. */
                limit?: number;
                /** @description Field of the record to sort by, with a leading - for descending order. An unknown field is refused with the fields that the list can be sorted by. */
                sort?: string;
                /** @description Status of the deliveries. */
                status?: "pending" | "delivered" | "failed" | "cancelled";
            };
            header?: never;
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"][];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the delivery whose message is sent again. */
                deliveryId: number;
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    recoverWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecoverWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRecovery"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["RotateWebhookBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedWebhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes it safe to send the request again. Within 24 hours, the same key, path and body get the first response, with Idempotency-Replayed: true. A different body fails with idempotency_mismatch. */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description ID of the record. */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
        };
    };
    listWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEvent"][];
                };
            };
        };
    };
}
